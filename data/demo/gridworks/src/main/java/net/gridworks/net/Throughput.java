// SPDX-License-Identifier: Apache-2.0
package net.gridworks.net;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;

/** How much the plant can push from the well to the sink. */
public class Throughput {
    private final int[][] spare;

    public Throughput(Plant plant) {
        int n = plant.stations();
        spare = new int[n][n];
        for (int u = 0; u < n; u++) {
            for (Plant.Pipe p : plant.from(u)) {
                spare[u][p.to] += p.size;
            }
        }
    }

    public int push(int well, int sink) {
        int[] prev = new int[spare.length];
        int total = 0;
        while (routeExists(well, sink, prev)) {
            int least = Integer.MAX_VALUE;
            for (int v = sink; v != well; v = prev[v]) {
                least = Math.min(least, spare[prev[v]][v]);
            }
            for (int v = sink; v != well; v = prev[v]) {
                spare[prev[v]][v] -= least;
                spare[v][prev[v]] += least;
            }
            total += least;
        }
        return total;
    }

    private boolean routeExists(int well, int sink, int[] prev) {
        Arrays.fill(prev, -1);
        prev[well] = well;
        Queue<Integer> queue = new ArrayDeque<>();
        queue.add(well);
        while (!queue.isEmpty()) {
            int u = queue.remove();
            for (int v = 0; v < spare.length; v++) {
                if (prev[v] < 0 && spare[u][v] > 0) {
                    prev[v] = u;
                    queue.add(v);
                }
            }
        }
        return prev[sink] >= 0;
    }
}
