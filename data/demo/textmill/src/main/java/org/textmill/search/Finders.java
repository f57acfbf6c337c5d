// SPDX-License-Identifier: Apache-2.0
package org.textmill.search;

import java.util.Collections;
import java.util.List;

public final class Finders {
    private Finders() {
    }

    /** Picks a finder by name; the empty word never matches. */
    public static Finder of(String kind, String word) {
        if (word.isEmpty()) {
            return new Finder() {
                @Override
                public List<Integer> scan(String text) {
                    return Collections.emptyList();
                }
            };
        }
        switch (kind) {
            case "border":
                return new BorderScanner(word);
            case "fingerprint":
                return new FingerprintFinder(word);
            case "skip":
                return new SkipFinder(word);
            case "table":
                return new TableFinder(word);
            case "plain":
            default:
                return new PlainFinder(word);
        }
    }
}
