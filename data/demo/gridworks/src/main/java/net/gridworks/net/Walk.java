// SPDX-License-Identifier: Apache-2.0
package net.gridworks.net;

/** Depth-first search with enter and leave times. */
public class Walk {
    private static final int WHITE = 0;
    private static final int GRAY = 1;
    private static final int BLACK = 2;

    private final Plant plant;
    private final int[] colour;
    private int clock;
    public final int[] entered;
    public final int[] left;
    public final int[] parent;

    public Walk(Plant plant) {
        this.plant = plant;
        int n = plant.stations();
        colour = new int[n];
        entered = new int[n];
        left = new int[n];
        parent = new int[n];
    }

    public void everywhere() {
        for (int s = 0; s < plant.stations(); s++) {
            colour[s] = WHITE;
            parent[s] = -1;
        }
        clock = 0;
        for (int s = 0; s < plant.stations(); s++) {
            if (colour[s] == WHITE) {
                visit(s);
            }
        }
    }

    private void visit(int u) {
        colour[u] = GRAY;
        entered[u] = ++clock;
        for (Plant.Pipe p : plant.from(u)) {
            if (colour[p.to] == WHITE) {
                parent[p.to] = u;
                visit(p.to);
            }
        }
        colour[u] = BLACK;
        left[u] = ++clock;
    }
}
