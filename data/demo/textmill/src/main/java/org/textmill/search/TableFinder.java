// SPDX-License-Identifier: Apache-2.0
package org.textmill.search;

import java.util.ArrayList;
import java.util.List;

/** Runs a precomputed state table over text limited to 8-bit letters. */
public class TableFinder implements Finder {
    private static final int LETTERS = 256;
    private final int[][] table;
    private final int last;

    public TableFinder(String word) {
        this.table = build(word);
        this.last = word.length();
    }

    private static int[][] build(String word) {
        int m = word.length();
        int[][] delta = new int[m + 1][LETTERS];
        for (int q = 0; q <= m; q++) {
            String seen = word.substring(0, q);
            for (int c = 0; c < LETTERS; c++) {
                int k = Math.min(m, q + 1);
                String next = seen + (char) c;
                while (!next.endsWith(word.substring(0, k))) {
                    k--;
                }
                delta[q][c] = k;
            }
        }
        return delta;
    }

    @Override
    public List<Integer> scan(String text) {
        List<Integer> hits = new ArrayList<>();
        int state = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            state = c < LETTERS ? table[state][c] : 0;
            if (state == last) {
                hits.add(i - last + 1);
            }
        }
        return hits;
    }
}
