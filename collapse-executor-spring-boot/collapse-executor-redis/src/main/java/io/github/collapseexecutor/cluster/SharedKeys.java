package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.cluster.ResultExchange.Ended;
import io.github.collapseexecutor.cluster.ResultExchange.Missing;
import io.github.collapseexecutor.core.BatchHandle;
import io.github.collapseexecutor.core.KeyedResult;
import io.github.collapseexecutor.core.LibraryThreads;
import io.github.collapseexecutor.core.UnboundOutputException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one batch. Each is a shared call of its own, with a ticket and a lease; this class decides which keys the batch calls for, and
 * when. It calls nothing itself: a driver asks for the {@linkplain #next next step}, makes the bulk call, and says how it ended.
 *
 * <pre>
 * ASKING   --"wait"-->  WAITING                        another instance may answer
 * ASKING, WAITING  --"lead", "go alone"-->  CALLABLE   this batch makes the call
 * ASKING, WAITING  --a result-->  TAKEN                another instance has answered
 * CALLABLE  --the next bulk call-->  CALLED  -->  ENDED
 * TAKEN     --decoded-->  ENDED          TAKEN  --unreadable-->  CALLABLE
 * WAITING   --the last bulk call-->  CALLED
 * </pre>
 *
 * <p><b>Two bulk calls at most.</b> As soon as Redis has answered for every key, the keys that this instance may call for make the first bulk
 * call. The others wait meanwhile, and take no lease: a lease without a call would hold up everybody. After the first call they may lead. The
 * moment that one of them has to be called for, one last bulk call asks for all that have no answer yet.
 *
 * <p><b>Grace.</b> Keys of a batch that are due one shortly after another belong into one bulk call. A bulk call therefore waits for those that
 * are due within a tenth of {@code maxDelay}, and within 5 ms. That is the longest for which a lease has no call.
 */
final class SharedKeys<K extends @Nullable Object, V extends @Nullable Object> {

    /** More keys of one batch would cost Redis too much at a time: the rest is called for without asking it. */
    static final int MOST_KEYS = 256;

    private static final int GRACE_PART = 10;
    private static final long LONGEST_GRACE_NANOS = 5_000_000;

    private enum Progress {
        ASKING,
        WAITING,
        CALLABLE,
        TAKEN,
        CALLED,
        ENDED
    }

    /** One key; the outer object guards what is mutable. */
    private final class Entry {

        // immutable
        final K key;
        /** Null if the key is not shared; so is the waiter. */
        final @Nullable ResultExchange<V> exchange;

        final @Nullable ClusterWaiter waiter;

        // mutable
        Progress progress;
        long dueNanos;

        @Nullable Decision decision;

        Entry(K key, @Nullable ResultExchange<V> exchange) {
            this.key = key;
            this.exchange = exchange;
            waiter = exchange == null ? null : exchange.waiter(isCall, nanos -> waits(this, nanos));
            progress = exchange == null ? Progress.CALLABLE : Progress.ASKING;
        }

        boolean isOpen() {
            return progress == Progress.ASKING || progress == Progress.WAITING;
        }

        /** Has the waiter do something, if there is one. */
        void tell(Consumer<ClusterWaiter> message) {
            if (waiter != null) {
                message.accept(waiter);
            }
        }

        /** As {@link ResultExchange#settle}. */
        @Nullable Ended<V> settle() {
            return exchange == null || decision == null ? null : exchange.settle(decision);
        }

        @Nullable Lease lease() {
            return decision == null ? null : decision.lease();
        }

        /** Publishes something, if the call was made for the cluster. */
        void publish(BiConsumer<ResultExchange<V>, Lease> publishing) {
            Lease lease = lease();
            if (exchange != null && lease != null) {
                publishing.accept(exchange, lease);
            }
        }
    }

    // immutable
    /** Whether the only key is a call of its own, for which no bulk call has to be gathered. */
    private final boolean isCall;

    private final List<Entry> entries = new ArrayList<>();
    private final long graceNanos;

    // mutable, confined to the driver
    private final Map<K, V> values = new HashMap<>();
    private final Map<K, Throwable> failures = new HashMap<>();

    // mutable, guarded by this
    /** The driver waits for it; null while it does not. */
    private @Nullable CompletableFuture<Void> step;

    private int calls;
    private boolean calling;
    /** When the next bulk call starts at the latest; 0 without a key to call for. */
    private long graceEnds;

    private SharedKeys(boolean isCall, long maxDelayNanos) {
        this.isCall = isCall;
        graceNanos = Math.min(LONGEST_GRACE_NANOS, maxDelayNanos / GRACE_PART);
    }

    /** Returns the key of a call that is no bulk call. */
    static <V extends @Nullable Object> SharedKeys<String, V> of(ResultExchange<V> exchange) {
        SharedKeys<String, V> only = new SharedKeys<>(true, 0);
        only.entries.add(only.new Entry("", exchange));
        return only;
    }

    /** Takes the keys of a batch; {@code exchanges} gives null for a key that is not shared. */
    SharedKeys(Collection<K> keys, Function<K, @Nullable ResultExchange<V>> exchanges, long maxDelayNanos) {
        this(false, maxDelayNanos);
        for (K key : keys) {
            entries.add(new Entry(key, entries.size() < MOST_KEYS ? exchanges.apply(key) : null));
        }
    }

    /** Asks for every key, without waiting for one answer before the next question. */
    void begin() {
        entries.forEach(entry -> entry.tell(waiter -> {
            CompletableFuture<Void> unused = waiter.begin().thenAccept(decision -> decided(entry, decision));
        }));
    }

    private void waits(Entry entry, long nanos) {
        synchronized (this) {
            if (!entry.isOpen()) {
                return;
            }
            entry.progress = Progress.WAITING;
            entry.dueNanos = System.nanoTime() + nanos;
        }
        check();
    }

    private void decided(Entry entry, Decision decision) {
        synchronized (this) {
            Decision kept = decision;
            if (decision instanceof Decision.Lead lead && (calling || !entry.isOpen())) {
                lead.lease().giveUp(); // asked for before the bulk call began, which does not ask for this key
                kept = null;
            }
            if (entry.isOpen()) {
                entry.decision = kept;
                entry.progress = decision instanceof Decision.Take ? Progress.TAKEN : Progress.CALLABLE;
            }
        }
        check();
    }

    /** Returns what ends as soon as there is something to do, for which the driver then asks by {@link #settle}. */
    CompletableFuture<Void> next() {
        CompletableFuture<Void> awaited = new CompletableFuture<>();
        synchronized (this) {
            step = awaited;
        }
        check();
        return awaited;
    }

    private void check() {
        CompletableFuture<Void> ready;
        synchronized (this) {
            if (step == null || !isReady()) {
                return;
            }
            ready = step;
            step = null;
        }
        ready.complete(null);
    }

    private boolean isReady() {
        if (has(Progress.ASKING)) {
            return false;
        }
        if (!has(Progress.WAITING)) {
            return true;
        }
        if (!has(Progress.CALLABLE)) {
            return false;
        }
        long now = System.nanoTime();
        if (graceEnds == 0) {
            graceEnds = now + graceNanos;
            var unused = LibraryThreads.after(graceNanos, this::check);
        }
        return now - graceEnds >= 0
                || entries.stream()
                        .noneMatch(entry -> entry.progress == Progress.WAITING && entry.dueNanos - graceEnds <= 0);
    }

    private boolean has(Progress progress) {
        return entries.stream().anyMatch(entry -> entry.progress == progress);
    }

    /**
     * Decodes what other instances have answered, and begins the next bulk call if one is needed.
     *
     * @return the keys to call for; empty if every key has its answer
     */
    List<K> settle() {
        for (Entry entry : with(Progress.TAKEN)) {
            boolean opened = open(entry);
            synchronized (this) {
                entry.progress = opened ? Progress.ENDED : Progress.CALLABLE;
                entry.decision = null;
            }
        }
        List<Entry> called;
        List<Entry> waiting;
        boolean isLast;
        synchronized (this) {
            waiting = with(Progress.WAITING);
            isLast = calls == 1;
            called = new ArrayList<>(with(Progress.CALLABLE));
            if (called.isEmpty()) {
                return List.of();
            }
            if (isLast) {
                called.addAll(waiting);
            }
            called.forEach(entry -> entry.progress = Progress.CALLED);
            calls++;
            calling = true;
            graceEnds = 0;
        }
        waiting.forEach(entry -> entry.tell(isLast ? ClusterWaiter::leave : ClusterWaiter::holdBack));
        List<K> keys = new ArrayList<>();
        for (Entry entry : called) {
            entry.settle();
            keys.add(entry.key);
        }
        return Collections.unmodifiableList(keys);
    }

    private synchronized List<Entry> with(Progress progress) {
        return entries.stream().filter(entry -> entry.progress == progress).toList();
    }

    private boolean open(Entry entry) {
        Ended<V> ended = entry.settle();
        try {
            if (ended != null && !(ended instanceof Missing)) {
                values.put(entry.key, ended.get());
            }
        } catch (Exception failure) {
            failures.put(entry.key, failure);
        }
        return ended != null; // else it cannot be read
    }

    /** Says what the bulk call returned, and lets the other keys lead again. */
    void ended(@Nullable Map<K, V> returned) {
        if (returned == null) {
            failed(new UnboundOutputException(
                    "The batch function returned null: it must return a map, if need be empty"));
            return;
        }
        Map<K, Throwable> failed = returned instanceof KeyedResult<K, V> result ? result.failures() : Map.of();
        for (Entry entry : with(Progress.CALLED)) {
            try {
                bind(entry, returned, failed.isEmpty() ? null : failed.get(entry.key));
            } catch (RuntimeException thrown) { // by equals or hashCode of a key
                fail(entry, thrown);
            }
        }
        resume();
    }

    /** Says what the call returned whose key is the only one. */
    void endedOnly(V value) {
        ended(Collections.singletonMap(entries.get(0).key, value));
    }

    private void bind(Entry entry, Map<K, V> returned, @Nullable Throwable failure) {
        if (failure != null) {
            fail(entry, failure);
            return;
        }
        if (returned.get(entry.key) == null && !returned.containsKey(entry.key)) {
            entry.publish(ResultExchange::publishMissing);
            return;
        }
        V value = valueOf(returned, entry.key);
        values.put(entry.key, value);
        entry.publish((exchange, lease) -> exchange.publish(lease, value));
    }

    // The map holds the key: what it holds is a V.
    @SuppressWarnings("NullAway")
    private static <K extends @Nullable Object, V extends @Nullable Object> V valueOf(Map<K, V> map, K key) {
        return map.get(key);
    }

    /** Says that the bulk call has failed, and lets the other keys lead again. */
    void failed(Throwable failure) {
        with(Progress.CALLED).forEach(entry -> fail(entry, failure));
        resume();
    }

    private void fail(Entry entry, Throwable failure) {
        failures.put(entry.key, failure);
        entry.publish((exchange, lease) -> exchange.publishFailure(lease, failure));
    }

    private void resume() {
        List<Entry> waiting;
        synchronized (this) {
            calling = false;
            with(Progress.CALLED).forEach(entry -> entry.progress = Progress.ENDED);
            waiting = with(Progress.WAITING);
            waiting.forEach(entry -> entry.progress = Progress.ASKING);
        }
        waiting.forEach(entry -> entry.tell(ClusterWaiter::letLead));
    }

    /** Goes away: gives up what other instances may have waited for. */
    void leave() {
        entries.forEach(entry -> entry.tell(ClusterWaiter::leave));
    }

    /** Returns what the calls of a driver are told: if another instance waits for one of its keys, the batch is not lone. */
    BatchHandle handle(BatchHandle batch) {
        return with(Progress.CALLED).stream().map(Entry::lease).anyMatch(lease -> lease != null && lease.isAwaited())
                ? new KeysWork.Awaited(batch)
                : batch;
    }

    /** Returns the answers, when {@link #settle} has no key to call for any more. */
    Map<K, V> answers() {
        return failures.isEmpty() ? values : KeyedResult.of(values, failures);
    }

    /** Returns the answer of the only key, or throws its failure. */
    V answer() throws Exception {
        if (commonFailure() instanceof Exception failure) {
            throw failure;
        }
        return valueOf(values, entries.get(0).key);
    }

    /** Returns the failure of the batch if every key has that one, as a batch function throws it without a cluster; else null. */
    @Nullable Throwable commonFailure() {
        if (failures.size() < entries.size()) {
            return null;
        }
        Throwable first = failures.values().iterator().next();
        return failures.values().stream().allMatch(failure -> failure == first) ? first : null;
    }
}
