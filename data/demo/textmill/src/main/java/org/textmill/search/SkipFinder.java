// SPDX-License-Identifier: Apache-2.0
package org.textmill.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compares from the right and jumps ahead on a mismatch. */
public class SkipFinder implements Finder {
    private final String word;
    private final Map<Character, Integer> jump = new HashMap<>();

    public SkipFinder(String word) {
        this.word = word;
        for (int i = 0; i + 1 < word.length(); i++) {
            jump.put(word.charAt(i), word.length() - 1 - i);
        }
    }

    @Override
    public List<Integer> scan(String text) {
        List<Integer> hits = new ArrayList<>();
        int m = word.length();
        if (m == 0) {
            return hits;
        }
        int at = 0;
        while (at + m <= text.length()) {
            int j = m - 1;
            while (j >= 0 && word.charAt(j) == text.charAt(at + j)) {
                j--;
            }
            if (j < 0) {
                hits.add(at);
            }
            at += jump.getOrDefault(text.charAt(at + m - 1), m);
        }
        return hits;
    }
}
