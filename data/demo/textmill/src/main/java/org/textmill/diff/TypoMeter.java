// SPDX-License-Identifier: Apache-2.0
package org.textmill.diff;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests the word the user probably meant. */
public class TypoMeter {
    private final int tolerance;

    public TypoMeter(int tolerance) {
        this.tolerance = tolerance;
    }

    /** Slips (insert, delete, replace) that turn one word into another. */
    static int slips(CharSequence a, CharSequence b) {
        int[] above = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int swap = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                int best = Math.min(above[j] + 1, row[j - 1] + 1);
                row[j] = Math.min(best, above[j - 1] + swap);
            }
            int[] t = above;
            above = row;
            row = t;
        }
        return above[b.length()];
    }

    public Optional<String> suggest(String typed, Collection<String> known) {
        return known.stream()
                .filter(w -> slips(typed, w) <= tolerance)
                .min(Comparator.comparingInt(w -> slips(typed, w)));
    }
}
