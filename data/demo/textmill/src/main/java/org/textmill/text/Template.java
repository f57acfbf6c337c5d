// SPDX-License-Identifier: Apache-2.0
package org.textmill.text;

import java.util.Map;

/** Replaces ${name} by values. */
public class Template {
    private final String source;

    public Template(String source) {
        this.source = source;
    }

    public String render(Map<String, ?> values) {
        StringBuilder out = new StringBuilder(source.length());
        int pos = 0;
        while (true) {
            int open = source.indexOf("${", pos);
            if (open < 0) {
                return out.append(source, pos, source.length()).toString();
            }
            int close = source.indexOf('}', open);
            if (close < 0) {
                throw new IllegalStateException("unclosed ${ at " + open);
            }
            String name = source.substring(open + 2, close).trim();
            Object value = values.get(name);
            out.append(source, pos, open).append(value == null ? "" : value);
            pos = close + 1;
        }
    }
}
