// SPDX-License-Identifier: Apache-2.0
package net.gridworks.net;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** Which stations feed each other in a circle. */
public class Loops {
    private final Plant plant;

    public Loops(Plant plant) {
        this.plant = plant;
    }

    /** The loop number of every station. */
    public int[] label() {
        int n = plant.stations();
        Deque<Integer> finished = new ArrayDeque<>();
        boolean[] seen = new boolean[n];
        for (int s = 0; s < n; s++) {
            if (!seen[s]) {
                finish(s, seen, finished);
            }
        }
        Plant back = plant.reversed();
        int[] loop = new int[n];
        Arrays.fill(loop, -1);
        int count = 0;
        while (!finished.isEmpty()) {
            int s = finished.pop();
            if (loop[s] < 0) {
                flood(back, s, count++, loop);
            }
        }
        return loop;
    }

    private void finish(int u, boolean[] seen, Deque<Integer> finished) {
        seen[u] = true;
        for (Plant.Pipe p : plant.from(u)) {
            if (!seen[p.to]) {
                finish(p.to, seen, finished);
            }
        }
        finished.push(u);
    }

    private static void flood(Plant g, int u, int mark, int[] loop) {
        loop[u] = mark;
        for (Plant.Pipe p : g.from(u)) {
            if (loop[p.to] < 0) {
                flood(g, p.to, mark, loop);
            }
        }
    }
}
