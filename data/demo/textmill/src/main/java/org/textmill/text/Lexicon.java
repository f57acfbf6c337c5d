// SPDX-License-Identifier: Apache-2.0
package org.textmill.text;

import java.util.Arrays;

/** An immutable sorted word list. */
public final class Lexicon {
    private final String[] words;

    public Lexicon(String... words) {
        this.words = words.clone();
        Arrays.sort(this.words);
    }

    public int size() {
        return words.length;
    }

    public String get(int i) {
        return words[i];
    }

    /** Position of the word, or -1. */
    public int locate(String word) {
        int from = 0;
        int to = words.length - 1;
        while (from <= to) {
            int half = from + (to - from) / 2;
            int c = words[half].compareTo(word);
            if (c == 0) {
                return half;
            } else if (c < 0) {
                from = half + 1;
            } else {
                to = half - 1;
            }
        }
        return -1;
    }

    public boolean contains(String word) {
        return locate(word) >= 0;
    }
}
