// SPDX-License-Identifier: Apache-2.0
package net.gridworks.core;

import java.util.ArrayList;
import java.util.List;

/** Lines up cells in columns. */
public class TextTable {
    private final List<String[]> rows = new ArrayList<>();

    public TextTable row(Object... cells) {
        String[] r = new String[cells.length];
        for (int i = 0; i < cells.length; i++) {
            r[i] = String.valueOf(cells[i]);
        }
        rows.add(r);
        return this;
    }

    @Override
    public String toString() {
        int cols = rows.stream().mapToInt(r -> r.length).max().orElse(0);
        int[] width = new int[cols];
        for (String[] r : rows) {
            for (int c = 0; c < r.length; c++) {
                width[c] = Math.max(width[c], r[c].length());
            }
        }
        StringBuilder sb = new StringBuilder();
        for (String[] r : rows) {
            for (int c = 0; c < r.length; c++) {
                sb.append(r[c]);
                sb.append(" ".repeat(width[c] - r[c].length() + 2));
            }
            sb.append('\n');
        }
        return sb.toString();
    }
}
