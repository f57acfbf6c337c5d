// SPDX-License-Identifier: Apache-2.0
package net.gridworks.core;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** Bounded, blocking; null is never an event. */
public class EventQueue<E> {
    private final Deque<E> events = new ArrayDeque<>();
    private final int limit;
    private boolean closed;

    public EventQueue(int limit) {
        this.limit = limit;
    }

    public synchronized boolean offer(E event) {
        if (closed || events.size() >= limit) {
            return false;
        }
        events.addLast(event);
        notifyAll();
        return true;
    }

    public synchronized E take(long timeout, TimeUnit unit) throws InterruptedException {
        long end = System.nanoTime() + unit.toNanos(timeout);
        while (events.isEmpty() && !closed) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                return null;
            }
            wait(left);
        }
        return events.pollFirst();
    }

    public synchronized void close() {
        closed = true;
        notifyAll();
    }
}
