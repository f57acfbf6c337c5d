// SPDX-License-Identifier: Apache-2.0
package net.gridworks.net;

import java.util.Arrays;

/** Plans trenches so that every station is joined with the least digging. */
public final class Trench {
    private Trench() {
    }

    public static int[] dig(Plant plant, int start) {
        int n = plant.stations();
        int[] key = new int[n];
        int[] link = new int[n];
        boolean[] joined = new boolean[n];
        Arrays.fill(key, Integer.MAX_VALUE);
        Arrays.fill(link, -1);
        key[start] = 0;
        for (int step = 0; step < n; step++) {
            int u = -1;
            for (int s = 0; s < n; s++) {
                if (!joined[s] && (u < 0 || key[s] < key[u])) {
                    u = s;
                }
            }
            if (key[u] == Integer.MAX_VALUE) {
                throw new IllegalStateException("station " + u + " cannot be reached");
            }
            joined[u] = true;
            for (Plant.Pipe p : plant.from(u)) {
                if (!joined[p.to] && p.size < key[p.to]) {
                    key[p.to] = p.size;
                    link[p.to] = u;
                }
            }
        }
        return link;
    }
}
