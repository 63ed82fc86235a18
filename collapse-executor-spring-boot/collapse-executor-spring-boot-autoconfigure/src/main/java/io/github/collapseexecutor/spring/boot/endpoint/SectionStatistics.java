package io.github.collapseexecutor.spring.boot.endpoint;

import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.GroupStall;
import io.github.collapseexecutor.http.HttpCallSummary;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.spring.boot.config.EnumWord;
import io.github.collapseexecutor.spring.boot.registry.CallTally;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** Counts, for the endpoint, what one section has done since the start: numbers and words of this library, nothing of a request. */
final class SectionStatistics implements CallTally {

    private static final Log logger = LogFactory.getLog(SectionStatistics.class);

    /** How many types of failures are told apart; exceptions of generated classes must not fill the memory. */
    private static final int MOST_FAILURES = 20;

    private static final String OTHER_FAILURES = "others";

    /** How often something failed in one way, and when it did last. */
    private static final class Failures {

        // mutable, thread-safe
        private final LongAdder count = new LongAdder();
        private volatile Instant last = Instant.EPOCH;

        void add() {
            count.increment();
            last = Instant.now();
        }

        Map<String, Object> shown() {
            return Map.of("count", count.sum(), "last", last.toString());
        }
    }

    /** A distribution of which sum and maximum are of interest. */
    private static final class Values {

        // mutable, thread-safe
        private final LongAdder count = new LongAdder();
        private final LongAdder sum = new LongAdder();
        private final LongAccumulator max = new LongAccumulator(Math::max, 0);

        void add(long value) {
            count.increment();
            sum.add(value);
            max.accumulate(value);
        }

        double mean() {
            long number = count.sum();
            return number == 0 ? 0 : (double) sum.sum() / number;
        }
    }

    // mutable, thread-safe
    private final EnumCounts<HttpCallSummary.Role> calls = new EnumCounts<>(HttpCallSummary.Role.class);
    private final EnumCounts<Reason> notCollapsed = new EnumCounts<>(Reason.class);
    /** Requests of groups that were sent without being gathered, of which no end is told. */
    private final LongAdder ungathered = new LongAdder();

    private final EnumCounts<Reason> notShared = new EnumCounts<>(Reason.class);
    private final ConcurrentMap<String, Failures> failures = new ConcurrentHashMap<>();
    private final LongAdder saved = new LongAdder();
    private final Values sizes = new Values();
    private final Values waits = new Values();
    private final Durations callTimes = new Durations();
    private final Durations batchTimes = new Durations();
    /** How many batches had 1, 2, 3 to 4, 5 to 8 … inputs. */
    private final LongAdder[] sizeClasses = new LongAdder[Integer.SIZE];

    SectionStatistics() {
        Arrays.setAll(sizeClasses, power -> new LongAdder());
    }

    /** Nothing else would tell of a hang: no batch starts and none ends. The group is left out, since it may name a user. */
    @Override
    public void stalled(GroupStall stall) {
        logger.warn(stall);
    }

    @Override
    public void batch(BatchSummary batch) {
        sizes.add(batch.size());
        waits.add(batch.waitNanos());
        batchTimes.add(batch.durationNanos());
        sizeClasses[Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, batch.size() - 1))].increment();
    }

    @Override
    public void notCollapsed(Reason reason) {
        notCollapsed.add(reason);
        if (reason != Reason.NOT_CONFIGURED) {
            ungathered.increment();
        }
    }

    @Override
    public void released(Reason reason) {
        notCollapsed.add(reason);
    }

    @Override
    public void notShared(Reason reason) {
        notShared.add(reason);
    }

    @Override
    public void call(HttpCallSummary.Role role, HttpCallSummary.Outcome outcome, long nanos) {
        calls.add(role);
        callTimes.add(nanos);
    }

    @Override
    public void saved(int number) {
        saved.add(number);
    }

    @Override
    public void failed(@Nullable Throwable failure) {
        if (failure != null) {
            failuresOf(failure.getClass().getName()).add();
        }
    }

    private Failures failuresOf(String type) {
        Failures present = failures.get(type);
        if (present != null) {
            return present;
        }
        String name = failures.size() < MOST_FAILURES ? type : OTHER_FAILURES;
        return failures.computeIfAbsent(name, absent -> new Failures());
    }

    private long callsOf(HttpCallSummary.Role... roles) {
        return Stream.of(roles).mapToLong(calls::of).sum();
    }

    /** Returns what there is to show, in words and numbers. */
    Map<String, Object> shown() {
        Map<String, Object> shown = new LinkedHashMap<>();
        long sentAtOnce = ungathered.sum();
        shown.put("requests", sentAtOnce + callsOf(HttpCallSummary.Role.values()));
        shown.put("sent", sentAtOnce + callsOf(HttpCallSummary.Role.LEADER, HttpCallSummary.Role.ALONE));
        shown.put("calls", calls.shown());
        shown.put("saved", saved.sum());
        shown.put("callMillis", callTimes.shown());
        shown.put("notCollapsed", notCollapsed.shown());
        shown.put("notShared", notShared.shown());
        Map<String, Object> batches = new LinkedHashMap<>();
        batches.put("count", sizes.count.sum());
        batches.put("meanSize", sizes.mean());
        batches.put("maxSize", sizes.max.get());
        batches.put("sizes", shownSizes());
        batches.put("meanWaitMillis", waits.mean() / TimeUnit.MILLISECONDS.toNanos(1));
        batches.put("maxWaitMillis", (double) waits.max.get() / TimeUnit.MILLISECONDS.toNanos(1));
        batches.put("millis", batchTimes.shown());
        shown.put("batches", batches);
        Map<String, Object> byType = new LinkedHashMap<>();
        failures.forEach((type, seen) -> byType.put(type, seen.shown()));
        shown.put("failures", byType);
        return shown;
    }

    private Map<String, Long> shownSizes() {
        Map<String, Long> shown = new LinkedHashMap<>();
        for (int power = 0; power < sizeClasses.length; power++) {
            long count = sizeClasses[power].sum();
            if (count > 0) {
                long from = power == 0 ? 1 : (1L << (power - 1)) + 1;
                long to = 1L << power;
                shown.put(from == to ? Long.toString(to) : from + "-" + to, count);
            }
        }
        return shown;
    }

    /** Shows counts by their reasons, in the order of the reasons. */
    static Map<String, Long> byWord(Map<Reason, Long> counts) {
        Map<String, Long> shown = new LinkedHashMap<>();
        new TreeMap<>(counts).forEach((reason, count) -> shown.put(EnumWord.of(reason), count));
        return shown;
    }
}
