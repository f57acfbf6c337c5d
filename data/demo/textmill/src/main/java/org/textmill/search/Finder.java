// SPDX-License-Identifier: Apache-2.0
package org.textmill.search;

import java.util.List;

/** Finds all places where a fixed word occurs in a text. */
public interface Finder {
    List<Integer> scan(String text);

    default boolean occursIn(String text) {
        return !scan(text).isEmpty();
    }
}
