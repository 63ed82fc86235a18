package io.github.collapseexecutor.sample.rpcmerge;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.sample.rpcmerge.Places.Place;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Calls servers. Calls that wait for one server at the same time leave as one frame.
 *
 * <pre>{@code
 * try (RpcClient client = new RpcClient(RpcOptions.defaults())) {
 *     CompletableFuture<Long> price = client.call(server, PRICE, "apple");
 * }
 * }</pre>
 *
 * <p><b>Guarantees.</b> Each call ends once: with its own answer, or with an {@link RpcException}, a {@link
 * TimeoutException} or its cancellation. Calls do not affect each other. Only a connection that closes ends all calls that were sent by it. No call is
 * sent twice. Calls of a type that is never answered take no more than
 * {@link RpcOptions#maxPerType()} places, and give them back when their time is over; an answer that comes later is dropped.
 *
 * <p><b>Threads.</b> Frames are written and read by the client's own threads, as many as the options say; dependent actions
 * of the futures run there and must not block. When there is nothing to send or receive, nothing runs and no clock ticks.
 *
 * <p><b>Leaving.</b> A caller leaves by cancelling or completing its future. If its request has not been written, it is not
 * sent.
 */
public final class RpcClient implements AutoCloseable {

    static final String THREADS = "rpc-client";

    // immutable
    private final RpcOptions options;
    private final Sender sender;
    private final EventLoopGroup loops;
    private final ConcurrentMap<SocketAddress, Destination> destinations = new ConcurrentHashMap<>();
    private final LongAdder frames = new LongAdder();

    // mutable, false until the client is closed
    private volatile boolean closed;

    /**
     * Creates a client.
     *
     * @param options its bounds
     */
    public RpcClient(RpcOptions options) {
        this(options, MergingSender::ofRequests);
    }

    RpcClient(RpcOptions options, Function<RpcOptions, Sender> sender) {
        this.options = requireNonNull(options, "options");
        this.sender = sender.apply(options);
        this.loops = new NioEventLoopGroup(options.threads(), new DefaultThreadFactory(THREADS, true));
    }

    /**
     * Calls a server; the answer is awaited for {@link RpcOptions#callTimeout()}.
     *
     * @param server its address
     * @param type what kind of request it is
     * @param request what is asked
     * @param <Q> what is asked
     * @param <R> what is answered
     * @return a future of the answer, for this caller alone
     * @throws IllegalArgumentException if the request cannot be encoded, or not within a frame
     * @throws RejectedExecutionException if {@link RpcOptions#maxPending()} calls, or {@link RpcOptions#maxPerType()} calls of
     *     the type to the server, have no answer yet
     * @throws IllegalStateException if the client is closed
     */
    public <Q, R> CompletableFuture<R> call(SocketAddress server, MessageType<Q, R> type, Q request) {
        return call(server, type, request, options.callTimeout());
    }

    /**
     * Calls a server.
     *
     * @param server its address
     * @param type what kind of request it is
     * @param request what is asked
     * @param timeout how long the answer is awaited
     * @param <Q> what is asked
     * @param <R> what is answered
     * @return a future of the answer, for this caller alone
     * @throws IllegalArgumentException if the request cannot be encoded, or not within a frame; or if the time-out is not
     *     positive
     * @throws RejectedExecutionException if {@link RpcOptions#maxPending()} calls, or {@link RpcOptions#maxPerType()} calls of
     *     the type to the server, have no answer yet
     * @throws IllegalStateException if the client is closed
     */
    public <Q, R> CompletableFuture<R> call(SocketAddress server, MessageType<Q, R> type, Q request, Duration timeout) {
        RpcOptions.positive("timeout", timeout);
        byte[] payload = encode(type, request);
        if (closed) {
            throw new IllegalStateException("The client is closed: make calls before, or create another");
        }
        Destination destination = destination(requireNonNull(server, "server"));
        Place place = destination.places().take(type.number());
        if (place == null) {
            throw new RejectedExecutionException("maxPerType = " + options.maxPerType() + " calls of type " + type
                    + " to " + server + " have no answer yet: call later, or raise maxPerType");
        }
        Call<R> call = new Call<>(destination, type, payload, place);
        CompletableFuture<R> answer = send(call);
        if (answer.isDone()) {
            call.leave();
        } else {
            watch(call, answer, timeout);
        }
        return answer;
    }

    private <R> CompletableFuture<R> send(Call<R> call) {
        try {
            // The outcome of this very call: an R.
            @SuppressWarnings("unchecked")
            CompletableFuture<R> answer = (CompletableFuture<R>) sender.send(call);
            return answer;
        } catch (Throwable refused) {
            call.leave();
            throw refused;
        }
    }

    private <Q> byte[] encode(MessageType<Q, ?> type, Q request) {
        byte[] payload;
        try {
            payload = type.request().encode(request);
        } catch (Exception unencodable) {
            throw new IllegalArgumentException(
                    "The request of type " + type + " cannot be encoded: " + unencodable, unencodable);
        }
        if (payload.length > Frame.maxPayloadBytes(options)) {
            throw new IllegalArgumentException("The request of type " + type + " has " + payload.length
                    + " bytes: maxFrameBytes = " + options.maxFrameBytes() + " permits "
                    + Frame.maxPayloadBytes(options));
        }
        return payload;
    }

    private Destination destination(SocketAddress server) {
        Destination known = destinations.get(server);
        return known != null
                ? known
                : destinations.computeIfAbsent(
                        server, address -> new Destination(address, loops.next(), options, frames));
    }

    /** Ends the call when its time is up, and has it forgotten if it ends without an answer. */
    private static <R> void watch(Call<R> call, CompletableFuture<R> answer, Duration timeout) {
        // The thread of the connection keeps the time: it wakes for the earliest call, and for none if there is none.
        Future<?> timer = call.link
                .loop()
                .schedule(
                        () -> {
                            call.leave();
                            answer.completeExceptionally(new TimeoutException(
                                    "No answer to " + call + " within " + timeout.toMillis() + " ms"));
                        },
                        timeout.toNanos(),
                        TimeUnit.NANOSECONDS);
        CompletableFuture<R> unused = answer.whenComplete((value, failure) -> {
            timer.cancel(false);
            call.leave(); // if only the caller ended it
            if (!call.outcome().isDone() && !call.link.loop().isShuttingDown()) {
                call.link.loop().execute(call::forget);
            }
        });
    }

    /** How many frames were sent. */
    long framesSent() {
        return frames.sum();
    }

    /**
     * Closes all connections and waits until the threads have ended. Calls without an answer fail. Not to be called by a
     * dependent action of a call.
     */
    @Override
    public void close() {
        closed = true;
        for (Destination destination : destinations.values()) {
            if (!destination.loop().isShuttingDown()) {
                destination.loop().execute(destination::close);
            }
        }
        sender.close();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
    }
}
