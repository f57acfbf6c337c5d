/* SPDX-License-Identifier: Apache-2.0 */
#include "packline.h"

static uint64_t mul_mod(uint64_t a, uint64_t b, uint64_t m)
{
    return (uint64_t)((unsigned __int128)a * b % m);
}

/* base^e mod m by repeated squaring. */
uint64_t pl_power(uint64_t base, uint64_t e, uint64_t m)
{
    uint64_t r = 1 % m;
    base %= m;
    while (e > 0) {
        if (e & 1)
            r = mul_mod(r, base, m);
        base = mul_mod(base, base, m);
        e >>= 1;
    }
    return r;
}

/* a*x + b*y == the returned value. */
int64_t pl_bezout(int64_t a, int64_t b, int64_t *x, int64_t *y)
{
    int64_t x1, y1, d;
    if (b == 0) {
        *x = 1;
        *y = 0;
        return a;
    }
    d = pl_bezout(b, a % b, &x1, &y1);
    *x = y1;
    *y = x1 - a / b * y1;
    return d;
}

/* Every t in [0, n) with a*t = b (mod n); returns how many were stored. */
int pl_solve_congruence(int64_t a, int64_t b, int64_t n, int64_t *out, int room)
{
    int64_t x, y, d, t;
    int k = 0;

    d = pl_bezout(a, n, &x, &y);
    if (d == 0 || b % d != 0)
        return 0;
    t = x * (b / d) % n;
    if (t < 0)
        t += n;
    for (int64_t i = 0; i < d && k < room; i++)
        out[k++] = (t + i * (n / d)) % n;
    return k;
}
