package io.github.collapseexecutor.cluster;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.BatchFunction;
import io.github.collapseexecutor.core.CallWrapper;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.core.LibraryThreads;
import io.github.collapseexecutor.http.OtherInstances;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;

/**
 * Lets all instances of an application share the calls that each of them has gathered.
 *
 * <pre>{@code
 * ClusterCalls cluster = new ClusterCalls(connectionFactory, ClusterOptions.builder(secret).build());
 *
 * User user = executor.execute("user 7", cluster.shared("user 7", () -> client.fetch(7), codec));
 * }</pre>
 *
 * <p><b>Guarantees.</b> An executor gathers as it does without a cluster; the call of each batch then asks Redis. Of the instances
 * that ask for the same key, one makes the call and the others get its result. With {@link
 * io.github.collapseexecutor.core.JoinMode#FRESH}, the default, the call starts after every caller has asked that gets its result,
 * whatever the clocks of the instances say. The key must say everything that distinguishes one answer from another, the user
 * included: it is all that instances know of one another's calls.
 *
 * <p><b>Redis is never needed.</b> Where it is slow, down or of no use, the instance makes its calls alone, after {@link
 * ClusterOptions#maxDelay()} at most, and without asking while that lasts. No call fails because of Redis.
 *
 * <p><b>Threads.</b> A blocking call waits on the thread of its batch. A {@linkplain #sharedStage stage} occupies no thread; its
 * call is made on a thread of this package, without the thread-locals of its caller.
 *
 * <p><b>Failure and interruption.</b> A failure reaches other instances if the codec has bytes for it. Otherwise it stays where it
 * is, and each of them makes the call itself. If the call's own callers leave, by interruption or cancellation, another
 * instance that waits makes it.
 *
 * <p>Instances are thread-safe and are meant to be kept, one for each Redis; of a key without callers this process knows
 * the length of its calls, if it is one of the last 1,024. It stands in Redis for some seconds.
 *
 * <p><b>Cost.</b> A call that waits for nobody waits for one answer of Redis. Calls of a key that take no longer than three such answers are made without
 * it.
 */
public final class ClusterCalls implements AutoCloseable {

    // immutable
    private final ClusterNode node;
    private final JoinMode mode;

    /**
     * Joins the cluster. Nothing is sent to Redis before the first call, or before {@link #connect}.
     *
     * @param factory connects to Redis, Valkey, Redis Cluster or a master that Sentinel watches; it is not closed by this object
     * @param options how calls are shared
     */
    public ClusterCalls(ReactiveRedisConnectionFactory factory, ClusterOptions options) {
        this(
                new ClusterNode(requireNonNull(factory, "factory"), requireNonNull(options, "options")),
                JoinMode.IN_FLIGHT);
    }

    private ClusterCalls(ClusterNode node, JoinMode mode) {
        this.node = node;
        this.mode = mode;
    }

    /**
     * Returns the same cluster for an executor with a join mode. A call of another instance that was under way when a batch asked answers it only
     * if both modes are {@link JoinMode#IN_FLIGHT}: this one, and that of the {@linkplain ClusterOptions#joinMode() options}.
     *
     * <pre>{@code
     * CallWrapper wrapper = cluster.joining(options.joinMode()).wrapper("users", codec);
     * }</pre>
     *
     * @param joinMode the mode of the executor
     * @return a view of this object, with the same counts; to close it is to close this object
     */
    public ClusterCalls joining(JoinMode joinMode) {
        return new ClusterCalls(node, requireNonNull(joinMode, "joinMode"));
    }

    /**
     * Returns a call that asks the cluster before it is made, for a blocking or an async executor.
     *
     * @param key what the calls of all instances that may share a result have in common, as a text; in Redis it stands as a hash
     *     only. The group that the executor is given must be as fine at least
     * @param call makes the call, as without a cluster
     * @param codec turns the result into bytes, and back
     * @param <R> the result
     * @return the call for the executor; use it once
     */
    public <R extends @Nullable Object> BatchCall<R> shared(
            String key, Callable<? extends R> call, ResultCodec<R> codec) {
        return SharedCall.of(exchange("call", key, codec), requireNonNull(call, "call"));
    }

    /** Returns what exchanges the results of a call; each kind of call has keys of its own. */
    <R extends @Nullable Object> ResultExchange<R> exchange(String kind, String key, ResultCodec<R> codec) {
        return new ResultExchange<>(
                node, kind, requireNonNull(key, "key"), requireNonNull(codec, "codec"), mode == JoinMode.IN_FLIGHT);
    }

    /**
     * Returns a call that asks the cluster before it is made, for a future executor.
     *
     * @param key as above
     * @param call makes the call, without blocking
     * @param codec turns the result into bytes, and back, on threads of this package and on those that complete the stage
     * @param <R> the result
     * @return the call for the executor; use it once
     */
    public <R extends @Nullable Object> BatchCall<CompletionStage<R>> sharedStage(
            String key, Callable<? extends CompletionStage<R>> call, ResultCodec<R> codec) {
        return SharedStage.of(exchange("call", key, codec), requireNonNull(call, "call"), LibraryThreads.free());
    }

    /**
     * Returns what shares all calls of an executor of callables, without a change to the code that calls it: {@link
     * io.github.collapseexecutor.core.CollapseOptions.Builder#callWrapper}.
     *
     * <p>The key of a call is the name and the group. A group is a text, a number, a truth value, an enum constant, a UUID, a date or a
     * time, or a list of such; the calls of another one are not shared, and one warning says so.
     *
     * @param name the name of the executor, the same on all instances; executors of different names share no calls
     * @param codec turns the results of all its groups into bytes, and back; for example {@link ResultCodec#ofPlainValues()}
     * @return the wrapper, for one executor or several that do the same
     */
    public CallWrapper wrapper(String name, ResultCodec<?> codec) {
        return new WrappedCalls(
                this, new PlainKeys(requireNonNull(name, "name")), new ObservedTypes(requireNonNull(codec, "codec")));
    }

    /**
     * Returns a function by key that asks the cluster for each key before it is called, for a blocking or an async executor.
     *
     * <pre>{@code
     * BlockingCollapseExecutor<Long, User> users = CollapseExecutors.blockingByKey(
     *         cluster.sharedByKey("users", client::fetchAll, codec), MissingKeyPolicy.NULL, options);
     * }</pre>
     *
     * <p>Every key is a shared call of its own. The keys of a batch for which no other instance makes a call are asked for by one bulk call at
     * once. The batch then waits for the other keys; if one of them gets no answer, one last bulk call asks for all that are left. If a bulk
     * call fails, its keys fail, and no others.
     *
     * <p>Keys are of the types of which {@linkplain #wrapper groups} are; others are asked for without the cluster, and one warning says
     * so. So are, in a batch of more than 256 keys, those after the 256th.
     *
     * @param name the name of the function, the same on all instances; functions of different names share no values. The key and the name
     *     must say everything that distinguishes one value from another
     * @param function as for {@link io.github.collapseexecutor.core.CollapseExecutors#blockingByKey}; it may be called twice for a batch
     * @param codec turns a value into bytes, and back
     * @param <K> a key
     * @param <V> a value
     * @return the function for the executor
     */
    public <K extends @Nullable Object, V extends @Nullable Object> BatchFunction<Collection<K>, Map<K, V>> sharedByKey(
            String name, BatchFunction<? super Collection<K>, ? extends Map<K, V>> function, ResultCodec<V> codec) {
        return SharedCall.byKey(sharing(name, codec), requireNonNull(function, "function"));
    }

    /**
     * Returns a function by key that asks the cluster for each key before it is called, for a future executor.
     *
     * @param name as above
     * @param function as for {@link io.github.collapseexecutor.core.CollapseExecutors#futureByKey}; it may be called twice for a batch, on a
     *     thread of this package
     * @param codec turns a value into bytes, and back, on threads of this package and on those that complete the stage
     * @param <K> a key
     * @param <V> a value
     * @return the function for the executor
     */
    public <K extends @Nullable Object, V extends @Nullable Object>
            BatchFunction<Collection<K>, CompletionStage<Map<K, V>>> sharedByKeyStage(
                    String name,
                    BatchFunction<? super Collection<K>, ? extends CompletionStage<? extends Map<K, V>>> function,
                    ResultCodec<V> codec) {
        return SharedStage.byKey(sharing(name, codec), requireNonNull(function, "function"), LibraryThreads.free());
    }

    /** As above. */
    <K extends @Nullable Object, V extends @Nullable Object> Function<Collection<K>, SharedKeys<K, V>> sharing(
            String name, ResultCodec<V> codec) {
        requireNonNull(codec, "codec");
        PlainKeys texts = new PlainKeys(requireNonNull(name, "name"));
        Function<K, @Nullable ResultExchange<V>> exchanges = key -> {
            String text = texts.of(key);
            return text == null ? null : exchange("key", text, codec);
        };
        return keys -> new SharedKeys<>(keys, exchanges, node.maxDelayNanos());
    }

    /**
     * Returns what shares the responses of one HTTP client with those of the same client of other instances: {@link
     * io.github.collapseexecutor.http.HttpCollapseOptions.Builder#otherInstances}.
     *
     * <p>A response leaves the instance only if the rules let it be shared, and stands in Redis encrypted. A call answers requests only that
     * arrived before it started, whatever {@link ClusterOptions#joinMode()} says.
     *
     * @param client the name of the client, the same on all instances. <b>Clients that have other credentials below their adapters need
     *     other names:</b> in cookie stores, authenticators, proxies or TLS contexts, which no adapter sees
     * @return the other instances, for the adapter of that client
     */
    public OtherInstances http(String client) {
        return new HttpInstances(node, requireNonNull(client, "client"));
    }

    /** {@return what has become of the batches that asked the cluster, until this moment} */
    public ClusterCounts counts() {
        return node.counts();
    }

    /**
     * Connects to Redis in the background, and returns at once. The first calls then find a connection; else the first of them opens it, which takes
     * longer than {@link ClusterOptions#maxDelay()}, so that calls are made alone until it is there. If Redis cannot be reached, nothing happens.
     */
    public void connect() {
        node.connect();
    }

    /** Has this instance make all its calls without Redis, at once, until {@link #resume}. Calls that wait for others go on. */
    public void pause() {
        node.pause(true);
    }

    /** Ends a pause. */
    public void resume() {
        node.pause(false);
    }

    /** {@return whether this instance makes its calls without Redis because of {@link #pause}} */
    public boolean isPaused() {
        return node.isPaused();
    }

    /** Leaves the cluster. Calls that wait for others, and all later ones, are made alone. */
    @Override
    public void close() {
        node.close();
    }

    ClusterNode node() {
        return node;
    }
}
