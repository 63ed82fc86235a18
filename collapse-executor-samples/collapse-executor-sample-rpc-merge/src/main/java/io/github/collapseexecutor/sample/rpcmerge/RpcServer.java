package io.github.collapseexecutor.sample.rpcmerge;

import static java.util.Objects.requireNonNull;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers the calls of {@link RpcClient}s. Answers that wait for one connection at the same time leave as one frame.
 *
 * <pre>{@code
 * try (RpcServer server = RpcServer.builder(RpcOptions.defaults())
 *         .handler(PRICE, shop::priceOf, 8)
 *         .start(new InetSocketAddress(7070))) {
 *     …
 * }
 * }</pre>
 *
 * <p>Each type of request has threads of its own, or a function that needs none, so that a slow type delays no other. A
 * type whose threads are busy lets some requests wait and refuses the rest, and so does one whose requests are never answered:
 * they have {@link RpcOptions#maxPerType()} places of each connection, for {@link RpcOptions#handlerTimeout()}. A client that
 * takes no replies is read from no more.
 */
public final class RpcServer implements AutoCloseable {

    static final String THREADS = "rpc-server";

    // immutable
    private final EventLoopGroup loops;
    private final Map<Integer, Handler<?, ?>> handlers;
    private final Channel channel;
    private final LongAdder frames = new LongAdder();

    private RpcServer(Builder builder, SocketAddress address) {
        handlers = Map.copyOf(builder.handlers);
        loops = new NioEventLoopGroup(builder.options.threads(), new DefaultThreadFactory(THREADS, true));
        Sender sender = builder.sender.get();
        channel = bind(builder.options, sender, address);
    }

    private Channel bind(RpcOptions options, Sender sender, SocketAddress address) {
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel accepted) {
                        accepted.pipeline()
                                .addLast(
                                        new FrameDecoder(options),
                                        new ServerConnection(handlers, sender, options, frames));
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            close();
            throw new IllegalStateException("Cannot listen at " + address + ": " + bound.cause(), bound.cause());
        }
        return bound.channel();
    }

    /**
     * Begins a server.
     *
     * @param options its bounds
     * @return a builder; not thread-safe
     */
    public static Builder builder(RpcOptions options) {
        return new Builder(options);
    }

    /**
     * Returns where the server listens.
     *
     * @return its address, with the port that it was given
     */
    public SocketAddress address() {
        return channel.localAddress();
    }

    /** How many frames were sent. */
    long framesSent() {
        return frames.sum();
    }

    /** Closes all connections and waits until the server's own threads have ended; handlers are interrupted. */
    @Override
    public void close() {
        handlers.values().forEach(Handler::close);
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
    }

    /** Collects handlers, then starts. Not thread-safe. */
    public static final class Builder {

        /** How many requests of a type wait for its threads at most: far fewer than would stop a connection. */
        static final int MOST_WAITING = 1_000;

        // immutable
        private final RpcOptions options;

        // mutable, confined to the building thread
        private final Map<Integer, Handler<?, ?>> handlers = new HashMap<>();
        private Supplier<Sender> sender = MergingSender::ofReplies;

        private Builder(RpcOptions options) {
            this.options = requireNonNull(options, "options");
        }

        /**
         * Answers a type of request on threads of its own.
         *
         * @param type the type
         * @param function gives the reply; what it throws is told to the caller
         * @param threads how many requests of the type are worked on at a time, at least 1
         * @param <Q> what is asked
         * @param <R> what is answered
         * @return this builder
         * @throws IllegalArgumentException if threads is below 1 or the type has a handler already
         */
        public <Q, R> Builder handler(MessageType<Q, R> type, Function<? super Q, ? extends R> function, int threads) {
            if (threads < 1) {
                throw new IllegalArgumentException(
                        "threads for " + type + " is " + threads + ": it must be at least 1");
            }
            ThreadPoolExecutor pool = new ThreadPoolExecutor(
                    threads,
                    threads,
                    1,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(MOST_WAITING),
                    new DefaultThreadFactory(THREADS + "-" + type.name(), true));
            pool.allowCoreThreadTimeOut(true);
            requireNonNull(function, "function");
            return add(
                    type,
                    new Handler<>(
                            type, request -> CompletableFuture.<R>completedFuture(function.apply(request)), pool));
        }

        /**
         * Answers a type of request with a function that does not block: it is called on the thread of the connection.
         *
         * @param type the type
         * @param function begins to answer; what it throws or its stage fails with is told to the caller
         * @param <Q> what is asked
         * @param <R> what is answered
         * @return this builder
         * @throws IllegalArgumentException if the type has a handler already
         */
        public <Q, R> Builder handlerWithoutThreads(
                MessageType<Q, R> type, Function<? super Q, ? extends CompletionStage<? extends R>> function) {
            return add(type, new Handler<>(type, requireNonNull(function, "function"), null));
        }

        private Builder add(MessageType<?, ?> type, Handler<?, ?> handler) {
            @Nullable Handler<?, ?> before = handlers.putIfAbsent(type.number(), handler);
            if (before != null) {
                throw new IllegalArgumentException("number " + type.number() + " of " + type
                        + " has a handler already: give each type a number of its own");
            }
            return this;
        }

        Builder sender(Supplier<Sender> sender) {
            this.sender = sender;
            return this;
        }

        /**
         * Starts to listen.
         *
         * @param address where; port 0 for one that is free
         * @return the server
         * @throws IllegalStateException if it cannot listen there
         */
        public RpcServer start(SocketAddress address) {
            return new RpcServer(this, address);
        }
    }
}
