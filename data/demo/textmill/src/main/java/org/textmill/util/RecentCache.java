// SPDX-License-Identifier: Apache-2.0
package org.textmill.util;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** Least recently used entries are dropped first. */
public class RecentCache<K, V> {
    private static final class Link<K, V> {
        K key;
        V value;
        Link<K, V> before;
        Link<K, V> after;
    }

    private final int limit;
    private final Map<K, Link<K, V>> map = new HashMap<>();
    private final Link<K, V> ends = new Link<>();

    public RecentCache(int limit) {
        this.limit = limit;
        ends.before = ends;
        ends.after = ends;
    }

    public synchronized V get(K key, Function<? super K, ? extends V> load) {
        Link<K, V> link = map.get(key);
        if (link == null) {
            link = new Link<>();
            link.key = key;
            link.value = load.apply(key);
            map.put(key, link);
            if (map.size() > limit) {
                Link<K, V> oldest = ends.before;
                unlink(oldest);
                map.remove(oldest.key);
            }
        } else {
            unlink(link);
        }
        link.after = ends.after;
        link.before = ends;
        ends.after.before = link;
        ends.after = link;
        return link.value;
    }

    private void unlink(Link<K, V> link) {
        link.before.after = link.after;
        link.after.before = link.before;
    }

    public synchronized int size() {
        return map.size();
    }
}
