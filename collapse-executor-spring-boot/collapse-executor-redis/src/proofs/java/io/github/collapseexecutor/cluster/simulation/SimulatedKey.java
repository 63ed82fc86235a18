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

    record Lead(boolean awaited, boolean joinable) implements Reply {}

    record Wait(long asks, double micros) implements Reply {}

    record Stored() implements Reply {}

    record Failed() implements Reply {}

    /** How a call ended. */
    enum End {
        VALUE,
        NOTHING,
        FAILURE
    }

    private record Lease(Object token, double start, long covers, boolean joinable) {}

    private record Registration(long asks, double seen) {}

    private static final int SUCCESSES = 3;

    private final SimulatedTime time;
    private final Workload workload;
    private final SimulatedRedis redis;
    private final Map<Object, Registration> waiters = new HashMap<>();
    private final List<Lease> leases = new ArrayList<>();

    private long tickets;
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

    /** Whether waiters ask for tickets up to this one; removes those that ended without a word. */
    private boolean isWaitedFor(long covers) {
        waiters.values().removeIf(registration -> time.now() - registration.seen > stay());
        return waiters.values().stream().anyMatch(registration -> registration.asks <= covers);
    }

    Reply ask(Object waiter, double gap) {
        double now = time.now();
        boolean joins = workload.joinsInFlight();
        Registration registration = waiters.get(waiter);
        long asks;
        if (registration == null) {
            asks = ++tickets;
            if (joins) {
                long answered = now < answerEnds ? answerCovers : 0;
                long closed = leases.stream()
                        .filter(lease -> !lease.joinable)
                        .mapToLong(Lease::covers)
                        .max()
                        .orElse(0);
                long covers = leases.stream()
                        .filter(lease -> lease.joinable && isYoung(lease) && lease.covers > Math.max(answered, closed))
                        .mapToLong(Lease::covers)
                        .max()
                        .orElse(0);
                asks = covers == 0 ? asks : covers;
            }
        } else {
            asks = registration.asks;
        }
        if (now < answerEnds && answerCovers >= asks) {
            waiters.remove(waiter);
            return new Stored();
        }
        boolean covered = now < failureEnds && failureCovers >= asks;
        if (covered || (failing > 0 && leases.stream().anyMatch(this::isYoung))) {
            waiters.remove(waiter);
            return new Failed();
        }
        double due = failing > 0 ? Double.NEGATIVE_INFINITY : due(asks, gap);
        if (due > now) {
            waiters.put(waiter, new Registration(asks, now));
            return new Wait(asks, due - now);
        }
        leases.add(new Lease(waiter, now, tickets, joins));
        last = now;
        waiters.remove(waiter);
        return new Lead(isWaitedFor(tickets), joins);
    }

    private double due(long asks, double gap) {
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
                : last + Math.min(workload.maxWait(), Math.max(gap, factor * (last - oldest)));
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
        tell(end == End.FAILURE || oldestStart() == null ? tickets : ended.covers);
    }

    /** A leader asks whether anybody has joined; if not, its lease is over. */
    boolean isJoined(Object token) {
        Lease ended = leases.stream()
                .filter(lease -> lease.token == token)
                .findFirst()
                .orElse(null);
        if (ended == null) {
            return false;
        }
        if (!isWaitedFor(ended.covers)) {
            publish(token, End.NOTHING);
            return false;
        }
        leases.remove(ended);
        leases.add(new Lease(token, ended.start, ended.covers, false));
        return true;
    }

    private void tell(long ticket) {
        if (!waiters.isEmpty()) {
            redis.publish(ticket);
        }
    }

    /** A waiter or a leader goes away. */
    void leave(Object waiter) {
        waiters.remove(waiter);
        if (leases.removeIf(lease -> lease.token == waiter)) {
            tell(tickets);
        }
    }
}
