// SPDX-License-Identifier: Apache-2.0
package org.textmill.diff;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What two versions of a file still share, and what changed. */
public class LineDiff {
    private final List<String> old;
    private final List<String> fresh;
    private int[][] shared;

    public LineDiff(List<String> old, List<String> fresh) {
        this.old = old;
        this.fresh = fresh;
    }

    /** Number of lines kept; fills the table that {@link #render} walks. */
    public int countKept() {
        int m = old.size();
        int n = fresh.size();
        shared = new int[m + 1][n + 1];
        for (int i = 1; i <= m; i++) {
            for (int j = 1; j <= n; j++) {
                if (old.get(i - 1).equals(fresh.get(j - 1))) {
                    shared[i][j] = shared[i - 1][j - 1] + 1;
                } else if (shared[i - 1][j] >= shared[i][j - 1]) {
                    shared[i][j] = shared[i - 1][j];
                } else {
                    shared[i][j] = shared[i][j - 1];
                }
            }
        }
        return shared[m][n];
    }

    public List<String> render() {
        if (shared == null) {
            countKept();
        }
        List<String> out = new ArrayList<>();
        int i = old.size();
        int j = fresh.size();
        while (i > 0 || j > 0) {
            if (i > 0 && j > 0 && old.get(i - 1).equals(fresh.get(j - 1))) {
                out.add("  " + old.get(--i));
                j--;
            } else if (j > 0 && (i == 0 || shared[i][j - 1] >= shared[i - 1][j])) {
                out.add("+ " + fresh.get(--j));
            } else {
                out.add("- " + old.get(--i));
            }
        }
        Collections.reverse(out);
        return out;
    }
}
