// SPDX-License-Identifier: Apache-2.0
package org.textmill.search;

import java.util.ArrayList;
import java.util.List;

/** Naive string matching, good enough for short texts. */
public class PlainFinder implements Finder {
    private final char[] word;

    public PlainFinder(String word) {
        this.word = word.toCharArray();
    }

    @Override
    public List<Integer> scan(String text) {
        List<Integer> hits = new ArrayList<>();
        next:
        for (int s = 0; s <= text.length() - word.length; s++) {
            for (int j = 0; j < word.length; j++) {
                if (text.charAt(s + j) != word[j]) {
                    continue next;
                }
            }
            hits.add(s);
        }
        return hits;
    }
}
