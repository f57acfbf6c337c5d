// SPDX-License-Identifier: Apache-2.0
package net.gridworks.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/** Runs jobs only after everything they need. */
public class BuildOrder {
    private final Map<String, List<String>> unlocks = new LinkedHashMap<>();
    private final Map<String, Integer> waiting = new HashMap<>();

    public BuildOrder job(String name, String... needs) {
        unlocks.computeIfAbsent(name, k -> new ArrayList<>());
        waiting.putIfAbsent(name, 0);
        for (String need : needs) {
            job(need);
            unlocks.get(need).add(name);
            waiting.merge(name, 1, Integer::sum);
        }
        return this;
    }

    public List<String> sequence() {
        Map<String, Integer> left = new HashMap<>(waiting);
        Queue<String> ready = new ArrayDeque<>();
        for (String name : unlocks.keySet()) {
            if (left.get(name) == 0) {
                ready.add(name);
            }
        }
        List<String> order = new ArrayList<>();
        while (!ready.isEmpty()) {
            String name = ready.remove();
            order.add(name);
            for (String next : unlocks.get(name)) {
                if (left.merge(next, -1, Integer::sum) == 0) {
                    ready.add(next);
                }
            }
        }
        if (order.size() < unlocks.size()) {
            throw new IllegalStateException("jobs wait for each other");
        }
        return order;
    }
}
