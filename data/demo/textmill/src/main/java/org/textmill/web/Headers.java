// SPDX-License-Identifier: Apache-2.0
package org.textmill.web;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** HTTP header fields, names compared without case. */
public class Headers {
    private final Map<String, List<String>> fields = new LinkedHashMap<>();

    public static Headers parse(List<String> lines) {
        Headers h = new Headers();
        String name = null;
        for (String line : lines) {
            if (line.isEmpty()) {
                break;
            }
            if (Character.isWhitespace(line.charAt(0)) && name != null) {
                h.appendToLast(name, line.trim());
                continue;
            }
            int colon = line.indexOf(':');
            if (colon <= 0) {
                throw new IllegalArgumentException("bad header: " + line);
            }
            name = line.substring(0, colon).trim();
            h.add(name, line.substring(colon + 1).trim());
        }
        return h;
    }

    public void add(String name, String value) {
        fields.computeIfAbsent(key(name), k -> new ArrayList<>()).add(value);
    }

    public String first(String name) {
        List<String> all = fields.get(key(name));
        return all == null ? null : all.get(0);
    }

    public long contentLength() {
        String v = first("Content-Length");
        try {
            return v == null ? -1 : Long.parseLong(v);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private void appendToLast(String name, String more) {
        List<String> all = fields.get(key(name));
        int last = all.size() - 1;
        all.set(last, all.get(last) + " " + more);
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
