package io.github.collapseexecutor.cluster.simulation;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Time that passes from one event to the next, in microseconds. Events of the same time happen in the order of their planning. */
final class SimulatedTime {

    /** Something that is going to happen, unless it is cancelled. */
    static final class Event {

        private final double at;
        private final long number;
        private final Runnable action;
        private boolean cancelled;

        private Event(double at, long number, Runnable action) {
            this.at = at;
            this.number = number;
            this.action = action;
        }

        void cancel() {
            cancelled = true;
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>(
            Comparator.comparingDouble((Event event) -> event.at).thenComparingLong(event -> event.number));
    private long planned;
    private double now;

    double now() {
        return now;
    }

    /** Plans an action for so many microseconds from now. */
    Event after(double micros, Runnable action) {
        Event event = new Event(now + Math.max(0, micros), planned++, action);
        events.add(event);
        return event;
    }

    /** Lets everything happen that is planned until then. */
    void runUntil(double end) {
        for (Event next = events.peek(); next != null && next.at <= end; next = events.peek()) {
            events.remove();
            now = next.at;
            if (!next.cancelled) {
                next.action.run();
            }
        }
        now = end;
    }
}
