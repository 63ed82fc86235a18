package io.github.collapseexecutor.sample.rpcmerge;

import io.github.collapseexecutor.sample.rpcmerge.RpcException.Reason;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A server as a client sees it: an address, and a connection that opens with the first call, and again with the first call
 * after it closed. Nothing happens between calls.
 */
final class Destination implements Link {

    // immutable
    private final SocketAddress address;
    private final EventLoop loop;
    private final RpcOptions options;
    private final LongAdder frames;
    private final Places places;

    // mutable, confined to the thread of the loop
    private @Nullable CompletableFuture<ClientConnection> connection;
    private @Nullable Exception closed;

    Destination(SocketAddress address, EventLoop loop, RpcOptions options, LongAdder frames) {
        this.address = address;
        this.loop = loop;
        this.options = options;
        this.frames = frames;
        this.places = new Places(options.maxPerType());
    }

    Places places() {
        return places;
    }

    @Override
    public EventLoop loop() {
        return loop;
    }

    @Override
    public CompletableFuture<@Nullable Void> write(List<? extends Outgoing> messages) {
        List<Call<?>> calls = new ArrayList<>(messages.size());
        messages.forEach(message -> calls.add((Call<?>) message));
        return connection().thenCompose(open -> open.write(calls));
    }

    private CompletableFuture<ClientConnection> connection() {
        if (closed != null) {
            return CompletableFuture.failedFuture(unreachable(closed));
        }
        CompletableFuture<ClientConnection> present = connection;
        if (present == null
                || present.isCompletedExceptionally()
                || (present.isDone() && !present.join().isActive())) {
            connection = present = connect();
        }
        return present;
    }

    private CompletableFuture<ClientConnection> connect() {
        CompletableFuture<ClientConnection> opened = new CompletableFuture<>();
        ClientConnection handler = new ClientConnection(address, options, frames);
        ChannelFuture connecting = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        options.connectTimeout().toMillis())
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new FrameDecoder(options), handler);
                    }
                })
                .connect(address);
        ChannelFuture unused = connecting.addListener(done -> {
            if (done.isSuccess()) {
                opened.complete(handler);
            } else {
                opened.completeExceptionally(unreachable(done.cause()));
            }
        });
        return opened;
    }

    private RpcException unreachable(Throwable why) {
        return new RpcException(Reason.CONNECTION, "Cannot connect to " + address + ": " + why.getMessage(), why);
    }

    /** Closes the connection for good: calls that wait for it fail, and later ones too. */
    void close() {
        Exception why = new IllegalStateException("the client was closed");
        closed = why;
        if (connection != null) {
            CompletableFuture<@Nullable Void> unused = connection.thenAccept(open -> open.close(why));
        }
    }
}
