// SPDX-License-Identifier: Apache-2.0
package org.textmill.text;

import java.util.Comparator;

/** Keeps equal lines in their first order, unlike a plain in-place sort. */
public class Collator<T> {
    private final Comparator<? super T> order;

    public Collator(Comparator<? super T> order) {
        this.order = order;
    }

    public void arrange(T[] items) {
        arrange(items, items.clone(), 0, items.length);
    }

    private void arrange(T[] a, T[] spare, int lo, int hi) {
        if (hi - lo < 2) {
            return;
        }
        int mid = (lo + hi) >>> 1;
        arrange(a, spare, lo, mid);
        arrange(a, spare, mid, hi);
        weave(a, spare, lo, mid, hi);
    }

    private void weave(T[] a, T[] spare, int lo, int mid, int hi) {
        System.arraycopy(a, lo, spare, lo, hi - lo);
        int i = lo;
        int j = mid;
        for (int k = lo; k < hi; k++) {
            if (j >= hi || i < mid && order.compare(spare[i], spare[j]) <= 0) {
                a[k] = spare[i++];
            } else {
                a[k] = spare[j++];
            }
        }
    }
}
