package io.github.collapseexecutor.sample.rpcmerge;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.sample.rpcmerge.Places.Place;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a server: hands each request to the handler of its type, and sends the answers as they come, together
 * with those that wait for this connection at the same time.
 */
final class ServerConnection extends ChannelInboundHandlerAdapter implements Link {

    // immutable
    private final Map<Integer, Handler<?, ?>> handlers;
    private final Sender sender;
    private final RpcOptions options;
    private final LongAdder frames;

    // mutable, set before anything is read
    private @Nullable Channel channel;

    // mutable, thread-safe
    private final Places places;
    /** Answers that have come and are not written yet. */
    private final AtomicInteger unwritten = new AtomicInteger();

    ServerConnection(Map<Integer, Handler<?, ?>> handlers, Sender sender, RpcOptions options, LongAdder frames) {
        this.handlers = handlers;
        this.sender = sender;
        this.options = options;
        this.frames = frames;
        this.places = new Places(options.maxPerType());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
    }

    private Channel channel() {
        return requireNonNull(channel, "channel");
    }

    @Override
    public EventLoop loop() {
        return channel().eventLoop();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object received) {
        take(received);
        // Decided here and in write, by the same thread, so that the one cannot overtake the other.
        if (unwritten.get() >= options.maxUnwritten()) {
            channel().config().setAutoRead(false);
        }
    }

    private void take(Object received) {
        if (received instanceof Message message) {
            if (message.kind == Frame.REQUEST) {
                answer(message);
            } else {
                refuse(message.id, message.type, "is no request but of kind " + message.kind);
            }
        } else {
            BrokenMessage broken = (BrokenMessage) received;
            if (broken.id() != null) {
                refuse(broken.id(), 0, broken.defect());
            } else {
                SocketAddress peer = channel().remoteAddress();
                options.reportStray(peer, "message whose id is cut off " + broken.defect());
            }
        }
    }

    private void answer(Message request) {
        Handler<?, ?> handler = handlers.get(request.type);
        if (handler == null) {
            refuse(request.id, request.type, "is of a type that this server has no handler for");
            return;
        }
        Place place = places.take(request.type);
        if (place == null) {
            refuse(
                    request.id,
                    request.type,
                    "is refused: maxPerType = " + options.maxPerType()
                            + " requests of its type and connection have no answer yet");
            return;
        }
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        handler.answer(request.payload, answer);
        Future<?> timer = answer.isDone() ? null : timer(answer);
        var unused = answer.whenComplete((payload, failure) -> {
            if (timer != null) {
                timer.cancel(false);
            }
            place.giveBack();
            if (failure == null) {
                reply(request, payload);
            } else {
                Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
                send(request.id, request.type, Frame.FAILURE, text("the request failed: " + cause));
            }
        });
    }

    /** Ends a request that the handler does not; what the handler answers later finds it ended, and is dropped. */
    private Future<?> timer(CompletableFuture<byte[]> answer) {
        return loop().schedule(
                        () -> answer.completeExceptionally(new TimeoutException(
                                "no answer within " + options.handlerTimeout().toMillis() + " ms")),
                        options.handlerTimeout().toNanos(),
                        TimeUnit.NANOSECONDS);
    }

    private void reply(Message request, byte[] payload) {
        if (payload.length > Frame.maxPayloadBytes(options)) {
            send(
                    request.id,
                    request.type,
                    Frame.FAILURE,
                    text("the reply has " + payload.length + " bytes: maxFrameBytes = " + options.maxFrameBytes()
                            + " permits " + Frame.maxPayloadBytes(options)));
        } else {
            send(request.id, request.type, Frame.REPLY, payload);
        }
    }

    private void refuse(long id, int type, String defect) {
        send(id, type, Frame.FAILURE, text("the message " + defect));
    }

    private byte[] text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int most = Frame.maxPayloadBytes(options);
        return bytes.length <= most ? bytes : Arrays.copyOf(bytes, most);
    }

    private void send(long id, int type, byte kind, byte[] payload) {
        unwritten.incrementAndGet();
        CompletableFuture<?> unused = sender.send(new Reply(this, id, type, kind, payload));
    }

    @Override
    public CompletableFuture<@Nullable Void> write(List<? extends Outgoing> replies) {
        // Once the channel has closed nobody is left to be told.
        return FrameWriter.write(
                        channel(), options, frames, replies, reply -> channel().isActive())
                .whenComplete((written, failure) -> {
                    boolean few = unwritten.addAndGet(-replies.size()) <= options.maxUnwritten() / 2;
                    if (few && !channel().config().isAutoRead()) {
                        channel().config().setAutoRead(true);
                    }
                });
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        options.reportStray(channel().remoteAddress(), "connection closed: " + failure);
        ChannelFuture unused = context.close();
    }
}
