package io.github.collapseexecutor.http.lab;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Holds the handlers of a round until all its requests have arrived, so that they have others to share with. */
final class LabMeetings {

    /** A client that has left may never be seen to arrive. */
    private static final long PATIENCE_MILLIS = 100;

    /** One round. */
    static final class Meeting {

        // mutable, thread-safe
        private final AtomicInteger missing;
        private final AtomicInteger runs = new AtomicInteger();
        private final CompletableFuture<Void> gathered = new CompletableFuture<>();

        private Meeting(int size) {
            this.missing = new AtomicInteger(size);
        }

        /** A request has arrived in front of all filters. */
        void arrive() {
            if (missing.decrementAndGet() == 0) {
                gathered.complete(null);
            }
        }

        /** A handler runs, and goes on when this is done. */
        CompletableFuture<Void> run() {
            runs.incrementAndGet();
            return gathered;
        }

        int runs() {
            return runs.get();
        }
    }

    // mutable, thread-safe
    private final Map<String, Meeting> meetings = new ConcurrentHashMap<>();

    Meeting open(String name, int size) {
        Meeting meeting = new Meeting(size);
        meeting.gathered.completeOnTimeout(null, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        meetings.put(name, meeting);
        return meeting;
    }

    void close(String name) {
        meetings.remove(name);
    }

    /** The meeting of this name; one of nobody if it is over. */
    Meeting of(String name) {
        Meeting meeting = meetings.get(name);
        if (meeting == null) {
            meeting = new Meeting(1);
            meeting.gathered.complete(null);
        }
        return meeting;
    }
}
