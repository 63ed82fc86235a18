package io.github.collapseexecutor.cluster.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What {@code shared-call.lua} does with the hash of one key, for calls whose leases are renewed as long as they take. */
final class SimulatedKey {

    /** What a waiter is told. */
    sealed interface Reply permits Lead, Wait, Stored, Failed {}

    record Lead(long covers, boolean awaited) implements Reply {}

    record Wait(long ticket, long asks, double micros) implements Reply {}

    record Stored() implements Reply {}

    record Failed() implements Reply {}

    /** How a call ended. */
    enum End {
        VALUE,
        NOTHING,
        FAILURE
    }

    private record Lease(Object token, double start, long covers) {}

    private record Registration(Object waiter, long asks, double seen) {}

    private static final int PRUNED = 8;
    private static final int SUCCESSES = 3;

    private final SimulatedTime time;
    private final Workload workload;
    private final SimulatedRedis redis;
    private final Map<Long, Registration> waiters = new HashMap<>();
    private final List<Lease> leases = new ArrayList<>();

    private long tickets;
    private long floor = 1;
    private double last = Double.NEGATIVE_INFINITY;
    private double overtaken = Double.NEGATIVE_INFINITY;
    private long answerCovers;
    private double answerEnds = Double.NEGATIVE_INFINITY;
    private long failureCovers;
    private double failureEnds = Double.NEGATIVE_INFINITY;
    private int failing;

    SimulatedKey(SimulatedTime time, Workload workload, SimulatedRedis redis) {
        this.time = time;
        this.workload = workload;
        this.redis = redis;
    }

    private double stay() {
        return Math.max(2 * workload.maxWait(), 2_000_000);
    }

    private boolean isYoung(Lease lease) {
        return time.now() - lease.start < workload.maxWait();
    }

    private @Nullable Double oldestStart() {
        Double oldest = null;
        for (Lease lease : leases) {
            if (lease.start >= overtaken && (oldest == null || lease.start < oldest)) {
                oldest = lease.start;
            }
        }
        return oldest;
    }

    private long prune(long ticket) {
        for (int i = 0; i < PRUNED && floor < ticket; i++) {
            Registration registration = waiters.get(floor);
            if (registration != null && time.now() - registration.seen <= stay()) {
                break;
            }
            waiters.remove(floor);
            floor++;
        }
        return floor;
    }

    Reply ask(Object waiter, long known) {
        double now = time.now();
        boolean joins = workload.joinsInFlight();
        boolean awaited = true;
        long ticket = known;
        Registration registration = waiters.get(ticket);
        long asks;
        if (registration == null || registration.waiter != waiter) {
            ticket = ++tickets;
            asks = ticket;
            if (joins) {
                long answered = now < answerEnds ? answerCovers : 0;
                long covers = leases.stream()
                        .filter(lease -> isYoung(lease) && lease.covers > answered)
                        .mapToLong(Lease::covers)
                        .max()
                        .orElse(0);
                asks = covers == 0 ? asks : covers;
            }
            awaited = prune(ticket) < ticket || joins;
        } else {
            asks = registration.asks;
        }
        if (now < answerEnds && answerCovers >= asks) {
            waiters.remove(ticket);
            return new Stored();
        }
        boolean covered = now < failureEnds && failureCovers >= asks;
        if (covered || (failing > 0 && leases.stream().anyMatch(this::isYoung))) {
            waiters.remove(ticket);
            return new Failed();
        }
        double due = failing > 0 ? Double.NEGATIVE_INFINITY : due(asks);
        if (due > now) {
            waiters.put(ticket, new Registration(waiter, asks, now));
            return new Wait(ticket, asks, due - now);
        }
        leases.add(new Lease(waiter, now, tickets));
        last = now;
        waiters.remove(ticket);
        return new Lead(tickets, awaited);
    }

    private double due(long asks) {
        double covered = leases.stream()
                .filter(lease -> lease.covers >= asks && isYoung(lease))
                .mapToDouble(lease -> lease.start + workload.maxWait())
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        if (covered < Double.POSITIVE_INFINITY) {
            return covered;
        }
        Double oldest = oldestStart();
        double factor = workload.ratio() / (1 - workload.ratio());
        return oldest == null
                ? Double.NEGATIVE_INFINITY
                : last + Math.min(workload.maxWait(), factor * (last - oldest));
    }

    /** A leader says how its call ended. */
    void publish(Object token, End end) {
        Lease ended = leases.stream()
                .filter(lease -> lease.token == token)
                .findFirst()
                .orElse(null);
        if (ended == null) {
            return;
        }
        leases.remove(ended);
        if (end == End.VALUE && (time.now() >= answerEnds || answerCovers <= ended.covers)) {
            answerCovers = ended.covers;
            answerEnds = time.now() + stay();
        }
        if (end == End.FAILURE) {
            failureCovers = time.now() < failureEnds ? Math.max(failureCovers, ended.covers) : ended.covers;
            failureEnds = time.now() + stay();
            failing = SUCCESSES;
        } else if (failing > 0) {
            failing--;
        }
        overtaken = Math.max(overtaken, ended.start);
        redis.publish(end == End.FAILURE || oldestStart() == null ? tickets : ended.covers);
    }

    /** A waiter or a leader goes away. */
    void leave(Object waiter, long ticket) {
        Registration registration = waiters.get(ticket);
        if (registration != null && registration.waiter == waiter) {
            waiters.remove(ticket);
        }
        if (leases.removeIf(lease -> lease.token == waiter)) {
            redis.publish(tickets);
        }
    }
}
