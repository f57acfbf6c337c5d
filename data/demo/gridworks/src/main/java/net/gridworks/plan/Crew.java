// SPDX-License-Identifier: Apache-2.0
package net.gridworks.plan;

import java.util.Arrays;

/** Gives every worker at most one shift, filling as many as possible. */
public class Crew {
    private final boolean[][] can;
    private final int[] taken;

    public Crew(boolean[][] can, int shifts) {
        this.can = can;
        this.taken = new int[shifts];
    }

    public int fill() {
        Arrays.fill(taken, -1);
        int filled = 0;
        for (int w = 0; w < can.length; w++) {
            if (place(w, new boolean[taken.length])) {
                filled++;
            }
        }
        return filled;
    }

    private boolean place(int worker, boolean[] tried) {
        for (int s = 0; s < taken.length; s++) {
            if (can[worker][s] && !tried[s]) {
                tried[s] = true;
                if (taken[s] < 0 || place(taken[s], tried)) {
                    taken[s] = worker;
                    return true;
                }
            }
        }
        return false;
    }
}
