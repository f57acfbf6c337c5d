// SPDX-License-Identifier: Apache-2.0
package net.gridworks.core;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Watches stations and tells listeners about alarms. */
public class Monitor {
    private final List<Station> stations = new ArrayList<>();
    private final List<Consumer<Station>> listeners = new ArrayList<>();
    private Predicate<Station> alarm = s -> s.getLevel() > 0.9;

    public void watch(Station s) {
        stations.add(s);
    }

    public void onAlarm(Consumer<Station> listener) {
        listeners.add(listener);
    }

    public void alarmWhen(Predicate<Station> rule) {
        alarm = rule;
    }

    public int poll() {
        int raised = 0;
        for (Station s : stations) {
            if (!alarm.test(s)) {
                continue;
            }
            raised++;
            listeners.forEach(l -> l.accept(s));
        }
        return raised;
    }

    public Thread background(long everyMillis) {
        Thread t = new Thread(new Runnable() {
            @Override
            public void run() {
                while (!Thread.currentThread().isInterrupted()) {
                    poll();
                    try {
                        Thread.sleep(everyMillis);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
            }
        }, "monitor");
        t.setDaemon(true);
        return t;
    }
}
