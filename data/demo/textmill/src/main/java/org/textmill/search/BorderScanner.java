// SPDX-License-Identifier: Apache-2.0
package org.textmill.search;

import java.util.ArrayList;
import java.util.List;

public final class BorderScanner implements Finder {
    private final String word;
    private final int[] border;

    public BorderScanner(String word) {
        if (word.isEmpty()) {
            throw new IllegalArgumentException("empty word");
        }
        this.word = word;
        this.border = borders(word);
    }

    static int[] borders(String w) {
        int[] b = new int[w.length()];
        int k = 0;
        for (int q = 1; q < w.length(); q++) {
            while (k > 0 && w.charAt(k) != w.charAt(q)) {
                k = b[k - 1];
            }
            if (w.charAt(k) == w.charAt(q)) {
                k++;
            }
            b[q] = k;
        }
        return b;
    }

    @Override
    public List<Integer> scan(String text) {
        List<Integer> hits = new ArrayList<>();
        int q = 0;
        for (int i = 0; i < text.length(); i++) {
            while (q > 0 && word.charAt(q) != text.charAt(i)) {
                q = border[q - 1];
            }
            if (word.charAt(q) == text.charAt(i)) {
                q++;
            }
            if (q == word.length()) {
                hits.add(i - word.length() + 1);
                q = border[q - 1];
            }
        }
        return hits;
    }
}
