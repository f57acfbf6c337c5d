// SPDX-License-Identifier: Apache-2.0
package org.textmill.search;

import java.util.ArrayList;
import java.util.List;

/** Rolling fingerprints; a candidate is always compared letter by letter. */
public class FingerprintFinder implements Finder {
    private static final long RADIX = 257;
    private static final long PRIME = 1_000_000_007L;

    private final String word;

    public FingerprintFinder(String word) {
        this.word = word;
    }

    private static long fingerprint(String s, int length) {
        long h = 0;
        for (int i = 0; i < length; i++) {
            h = (h * RADIX + s.charAt(i)) % PRIME;
        }
        return h;
    }

    @Override
    public List<Integer> scan(String text) {
        List<Integer> hits = new ArrayList<>();
        int m = word.length();
        int n = text.length();
        if (m == 0 || n < m) {
            return hits;
        }
        long lead = 1;
        for (int i = 1; i < m; i++) {
            lead = lead * RADIX % PRIME;
        }
        long want = fingerprint(word, m);
        long have = fingerprint(text, m);
        for (int s = 0; s <= n - m; s++) {
            if (want == have && text.startsWith(word, s)) {
                hits.add(s);
            }
            if (s < n - m) {
                have = (have - text.charAt(s) * lead % PRIME + PRIME) % PRIME;
                have = (have * RADIX + text.charAt(s + m)) % PRIME;
            }
        }
        return hits;
    }
}
