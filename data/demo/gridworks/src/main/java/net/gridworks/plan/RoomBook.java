// SPDX-License-Identifier: Apache-2.0
package net.gridworks.plan;

import java.util.ArrayList;
import java.util.List;

/** One room, many requests; starts and ends are sorted by the end. */
public class RoomBook {
    private final int[] start;
    private final int[] end;

    public RoomBook(int[] start, int[] end) {
        this.start = start;
        this.end = end;
    }

    public List<Integer> accept() {
        List<Integer> kept = new ArrayList<>();
        if (start.length > 0) {
            kept.add(0);
            choose(0, kept);
        }
        return kept;
    }

    private void choose(int last, List<Integer> kept) {
        int m = last + 1;
        while (m < start.length && start[m] < end[last]) {
            m++;
        }
        if (m < start.length) {
            kept.add(m);
            choose(m, kept);
        }
    }
}
