package io.github.collapseexecutor.reactor;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.CollapseCounts;
import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.FutureCollapseExecutor;
import io.github.collapseexecutor.core.InputOptions;
import io.github.collapseexecutor.core.KeyedResult;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import io.github.collapseexecutor.core.UnboundOutputException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Answers subscribers key by key, from one bulk call for those that subscribe at the same time.
 *
 * <pre>{@code
 * ReactiveCollapseExecutor<Long, User> users =
 *         ReactiveCollapseExecutor.byItem(client::usersByIds, User::id, MissingKeyPolicy.NULL, options);
 *
 * Mono<User> user = users.execute(7L);
 * }</pre>
 *
 * <p><b>When.</b> Nothing happens before somebody subscribes, and each subscription asks anew. Which subscriptions share a call is what
 * {@link CollapseExecutors#futureByKey} says. No thread blocks.
 *
 * <p><b>Leaving.</b> A subscriber that cancels leaves alone. When nobody waits any more, the call is cancelled.
 *
 * <p><b>Context.</b> A call has an empty Reactor context, because it is made for several subscribers, and the user or token of one of
 * them must not decide what the others get. {@link #forContexts} says whose subscriptions may share a call, and gives it their context.
 * For the same reason Spring Security's user and Spring MVC's request of the thread are hidden from the call while it begins. Other
 * thread-locals are those of the thread that finds the call due, which may be any subscriber's. This class looks for the user in the static
 * holder of Spring Security: a {@code SecurityContextHolderStrategy} that is a bean must be given to it, too, by {@code
 * SecurityContextHolder.setContextHolderStrategy}.
 *
 * <p>Instances are thread-safe and are meant to be kept.
 *
 * @param <K> the keys, with {@code equals} and {@code hashCode}
 * @param <V> the answers
 */
public final class ReactiveCollapseExecutor<K, V> implements CollapseExecutor {

    /** Stands for the context of every subscriber. */
    private static final Object ANYBODY = new Object();

    // immutable
    private final Bulk<K, V> bulk;
    private final MissingKeyPolicy missing;
    private final InputOptions<? super K> options;
    private final Function<? super ContextView, ?> whose;
    private final boolean carriesContext;
    private final FutureCollapseExecutor<Question<K>, V> executor;

    /** Answers the keys of a batch. */
    private interface Bulk<K, V> {
        Mono<? extends Map<K, V>> call(Collection<K> keys);
    }

    /** What one subscriber asks. Equal questions are one, and are asked with the context of the first. */
    private static final class Question<K> {

        // immutable
        private final K key;
        private final Object whose;
        private final ContextView context;

        Question(K key, Object whose, ContextView context) {
            this.key = key;
            this.whose = whose;
            this.context = context;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Question<?> that && key.equals(that.key) && whose.equals(that.whose);
        }

        @Override
        public int hashCode() {
            return 31 * key.hashCode() + whose.hashCode();
        }
    }

    private ReactiveCollapseExecutor(
            Bulk<K, V> bulk,
            MissingKeyPolicy missing,
            InputOptions<? super K> options,
            Function<? super ContextView, ?> whose,
            boolean carriesContext) {
        this.bulk = bulk;
        this.missing = requireNonNull(missing, "missing");
        this.options = requireNonNull(options, "options");
        this.whose = whose;
        this.carriesContext = carriesContext;
        this.executor = CollapseExecutors.futureByKey(
                this::call,
                missing,
                options.gathering()
                        .groupBy((Question<K> question) -> List.of(options.groupOf(question.key), question.whose))
                        .weighBy(question -> options.weightOf(question.key)));
    }

    /**
     * Creates an executor of a function from keys to a map.
     *
     * @param function from the keys of a batch, each once, to their answers; it is subscribed to once for each batch. A {@link KeyedResult}
     *     fails single keys
     * @param missing what becomes of a key that the map lacks: with {@link MissingKeyPolicy#NULL} its {@code Mono} is empty
     * @param options how subscriptions gather, for example {@link io.github.collapseexecutor.core.CollapseOptions}
     * @param <K> the keys
     * @param <V> the answers
     * @return an executor without subscribers
     */
    public static <K, V> ReactiveCollapseExecutor<K, V> byKey(
            Function<? super Collection<K>, ? extends Mono<? extends Map<K, V>>> function,
            MissingKeyPolicy missing,
            InputOptions<? super K> options) {
        requireNonNull(function, "function");
        return new ReactiveCollapseExecutor<>(function::apply, missing, options, context -> ANYBODY, false);
    }

    /**
     * Creates an executor of a function from keys to items that know their keys, in any order.
     *
     * @param function from the keys of a batch, each once, to the items; it is subscribed to once for each batch
     * @param key returns the key of an item; if two items have the same one, its subscribers get an {@link UnboundOutputException}
     * @param missing what becomes of a key that no item has: with {@link MissingKeyPolicy#NULL} its {@code Mono} is empty
     * @param options how subscriptions gather, for example {@link io.github.collapseexecutor.core.CollapseOptions}
     * @param <K> the keys
     * @param <V> the items
     * @return an executor without subscribers
     */
    public static <K, V> ReactiveCollapseExecutor<K, V> byItem(
            Function<? super Collection<K>, ? extends Flux<V>> function,
            Function<? super V, ? extends K> key,
            MissingKeyPolicy missing,
            InputOptions<? super K> options) {
        requireNonNull(function, "function");
        requireNonNull(key, "key");
        return byKey(
                keys -> function.apply(keys).<K>collectMultimap(key).map(ReactiveCollapseExecutor::oneOfEach),
                missing,
                options);
    }

    /** Nobody knows which of two items of one key is meant. */
    private static <K, V> Map<K, V> oneOfEach(Map<K, Collection<V>> items) {
        Map<K, V> found = new HashMap<>();
        Map<K, Throwable> doubled = new HashMap<>();
        items.forEach((key, ofKey) -> {
            if (ofKey.size() == 1) {
                found.put(key, ofKey.iterator().next());
            } else {
                doubled.put(
                        key,
                        new UnboundOutputException(
                                "The batch function gave more than one item for this subscriber's key: give one,"
                                        + " or use a function from keys to a map"));
            }
        });
        return KeyedResult.of(found, doubled);
    }

    /**
     * Returns an executor of its own of the same function, whose calls have a Reactor context: that of one of their subscribers. Only
     * subscriptions with equal owners share a call. It keeps the contexts of all of them until it ends, also of one that cancelled.
     *
     * <pre>{@code
     * users.forContexts(context -> context.get(Tenant.class));
     * }</pre>
     *
     * @param owner returns of a subscriber's context what tells apart those that must not share, with {@code equals} and {@code
     *     hashCode}, not null. If it throws, its own subscriber gets the exception
     * @return an executor without subscribers
     */
    public ReactiveCollapseExecutor<K, V> forContexts(Function<? super ContextView, ?> owner) {
        return new ReactiveCollapseExecutor<>(bulk, missing, options, requireNonNull(owner, "owner"), true);
    }

    private CompletableFuture<Map<Question<K>, V>> call(Collection<Question<K>> questions) {
        List<K> keys = new ArrayList<>(questions.size());
        questions.forEach(question -> keys.add(question.key));
        ContextView context = questions.iterator().next().context;
        return UserlessThread.call(() -> bulk.call(keys)
                .switchIfEmpty(Mono.error(() -> new IllegalStateException(
                        "The Mono of the batch function was empty: it must give a map, if need be an empty one")))
                .<Map<Question<K>, V>>map(found -> answered(questions, found))
                .contextWrite(Context.of(context))
                .toFuture());
    }

    /** A key that cannot be looked up, because the map compares it with others for example, fails its own subscribers only. */
    private static <K, V> Map<Question<K>, V> answered(Collection<Question<K>> questions, Map<K, V> found) {
        Map<Question<K>, V> answers = new LinkedHashMap<>();
        Map<Question<K>, Throwable> failures = new LinkedHashMap<>();
        Map<K, Throwable> failed = found instanceof KeyedResult<K, V> result ? result.failures() : Map.of();
        for (Question<K> question : questions) {
            try {
                Throwable failure = failed.get(question.key);
                V answer = found.get(question.key);
                if (failure != null) {
                    failures.put(question, failure);
                } else if (answer != null) {
                    answers.put(question, answer);
                }
            } catch (RuntimeException notFound) {
                failures.put(question, notFound);
            }
        }
        return KeyedResult.of(answers, failures);
    }

    /**
     * Returns the answer for a key, which is asked for together with those of others when it is subscribed to.
     *
     * @param key what the batch function is to answer
     * @return the answer for each subscriber; empty, or an {@link io.github.collapseexecutor.core.UnboundOutputException}, if the function
     *     gave none. It fails with what the function failed with, with a {@link java.util.concurrent.TimeoutException} if {@code
     *     callTimeout} has passed, and with a {@link java.util.concurrent.RejectedExecutionException} if {@code maxPending} subscribers
     *     are waiting already
     */
    public Mono<V> execute(K key) {
        requireNonNull(key, "key");
        return Mono.deferContextual(context -> {
            Object owner = requireNonNull(whose.apply(context), "the owner of a context");
            ContextView carried =
                    carriesContext ? context : Context.empty(); // a call keeps the questions of those that left
            return Mono.fromFuture(executor.execute(new Question<>(key, owner, carried)));
        });
    }

    @Override
    public CollapseCounts counts() {
        return executor.counts();
    }

    @Override
    public boolean close(Duration drain) {
        return executor.close(drain);
    }
}
