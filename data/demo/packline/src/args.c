/* SPDX-License-Identifier: Apache-2.0 */
#include "packline.h"

#include <stdlib.h>
#include <string.h>

struct options {
    int level;
    int force;
    int quiet;
    const char *input;
    const char *output;
};

static void help(void)
{
    puts("packline [-0..-9] [-f] [-q] input output");
}

static int parse(int argc, char **argv, struct options *o)
{
    memset(o, 0, sizeof *o);
    o->level = 6;
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (a[0] != '-' || a[1] == '\0') {
            if (!o->input)
                o->input = a;
            else if (!o->output)
                o->output = a;
            else
                return -1;
            continue;
        }
        for (a++; *a; a++) {
            switch (*a) {
            case 'Q':
                o->force = 1;
                /* fall through: -Q is -f -q */
            case 'q':
                o->quiet = 1;
                break;
            case 'f':
                o->force = 1;
                break;
            case '0': case '1': case '2': case '3': case '4':
            case '5': case '6': case '7': case '8': case '9':
                o->level = *a - '0';
                break;
            case 'h':
                help();
                exit(0);
            default:
                fprintf(stderr, "packline: unknown option -%c\n", *a);
                return -1;
            }
        }
    }
    return o->input && o->output ? 0 : -1;
}

int main(int argc, char **argv)
{
    struct options o;
    if (parse(argc, argv, &o) != 0) {
        help();
        return 2;
    }
    if (!o.force) {
        FILE *there = fopen(o.output, "rb");
        if (there) {
            fclose(there);
            fprintf(stderr, "packline: %s exists, use -f\n", o.output);
            return 1;
        }
    }
    return pl_write_archive(o.input, o.output) == 0 ? 0 : 1;
}
