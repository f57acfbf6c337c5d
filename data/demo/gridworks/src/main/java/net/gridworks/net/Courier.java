// SPDX-License-Identifier: Apache-2.0
package net.gridworks.net;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;

/** Dijkstra's shortest paths with a priority queue. */
public class Courier {
    private final Plant plant;
    private long[] best;
    private int[] before;

    public Courier(Plant plant) {
        this.plant = plant;
    }

    public Courier startAt(int origin) {
        best = new long[plant.stations()];
        before = new int[plant.stations()];
        Arrays.fill(best, Long.MAX_VALUE);
        Arrays.fill(before, -1);
        best[origin] = 0;
        PriorityQueue<long[]> open = new PriorityQueue<>((a, b) -> Long.compare(a[0], b[0]));
        open.add(new long[] {0, origin});
        while (!open.isEmpty()) {
            long[] top = open.poll();
            int u = (int) top[1];
            if (top[0] > best[u]) {
                continue;
            }
            for (Plant.Pipe p : plant.from(u)) {
                long d = best[u] + p.size;
                if (d < best[p.to]) {
                    best[p.to] = d;
                    before[p.to] = u;
                    open.add(new long[] {d, p.to});
                }
            }
        }
        return this;
    }

    public List<Integer> routeTo(int target) {
        List<Integer> route = new ArrayList<>();
        if (best[target] == Long.MAX_VALUE) {
            return route;
        }
        for (int s = target; s >= 0; s = before[s]) {
            route.add(s);
        }
        Collections.reverse(route);
        return route;
    }
}
