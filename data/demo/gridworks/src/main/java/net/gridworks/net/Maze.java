// SPDX-License-Identifier: Apache-2.0
package net.gridworks.net;

import java.util.ArrayDeque;
import java.util.Deque;

/** A walled grid read from text, '#' is a wall. */
public class Maze {
    private static final int[][] STEPS = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    private final String[] rows;

    public Maze(String... rows) {
        this.rows = rows;
    }

    /** Fewest steps between two letters, or -1. */
    public int steps(char a, char b) {
        int[] from = locate(a);
        int[][] dist = new int[rows.length][rows[0].length()];
        Deque<int[]> queue = new ArrayDeque<>();
        dist[from[0]][from[1]] = 1;
        queue.add(from);
        while (!queue.isEmpty()) {
            int[] at = queue.poll();
            if (rows[at[0]].charAt(at[1]) == b) {
                return dist[at[0]][at[1]] - 1;
            }
            for (int[] s : STEPS) {
                int r = at[0] + s[0];
                int c = at[1] + s[1];
                if (open(r, c) && dist[r][c] == 0) {
                    dist[r][c] = dist[at[0]][at[1]] + 1;
                    queue.add(new int[] {r, c});
                }
            }
        }
        return -1;
    }

    private boolean open(int r, int c) {
        return r >= 0 && r < rows.length && c >= 0 && c < rows[r].length()
                && rows[r].charAt(c) != '#';
    }

    private int[] locate(char what) {
        int[] found = null;
        search:
        for (int r = 0; r < rows.length; r++) {
            for (int c = 0; c < rows[r].length(); c++) {
                if (rows[r].charAt(c) == what) {
                    found = new int[] {r, c};
                    break search;
                }
            }
        }
        if (found == null) {
            throw new IllegalArgumentException("no " + what + " in the maze");
        }
        return found;
    }
}
