// SPDX-License-Identifier: Apache-2.0
package net.gridworks.plan;

import java.util.ArrayList;
import java.util.List;

/** Chooses crates for one truck. */
public class TruckLoad {
    public static final class Crate {
        final String label;
        final int weight;
        final int value;

        public Crate(String label, int weight, int value) {
            this.label = label;
            this.weight = weight;
            this.value = value;
        }
    }

    private final List<Crate> crates = new ArrayList<>();

    public TruckLoad offer(Crate c) {
        crates.add(c);
        return this;
    }

    public List<String> choose(int limit) {
        int n = crates.size();
        int[][] worth = new int[n + 1][limit + 1];
        for (int i = 1; i <= n; i++) {
            Crate c = crates.get(i - 1);
            for (int w = 0; w <= limit; w++) {
                worth[i][w] = worth[i - 1][w];
                if (c.weight <= w && worth[i - 1][w - c.weight] + c.value > worth[i][w]) {
                    worth[i][w] = worth[i - 1][w - c.weight] + c.value;
                }
            }
        }
        List<String> chosen = new ArrayList<>();
        int w = limit;
        for (int i = n; i > 0; i--) {
            if (worth[i][w] != worth[i - 1][w]) {
                chosen.add(0, crates.get(i - 1).label);
                w -= crates.get(i - 1).weight;
            }
        }
        return chosen;
    }
}
