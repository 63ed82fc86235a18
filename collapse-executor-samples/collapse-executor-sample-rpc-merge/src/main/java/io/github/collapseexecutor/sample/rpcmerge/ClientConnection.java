package io.github.collapseexecutor.sample.rpcmerge;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.sample.rpcmerge.RpcException.Reason;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.collection.LongObjectMap;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a client and the calls that were sent by it: each ends with its answer, or with the connection.
 *
 * <p>Everything happens on the thread of the channel, so that an answer, a caller that leaves and a channel that closes
 * come one after another.
 */
final class ClientConnection extends ChannelInboundHandlerAdapter {

    // immutable
    private final SocketAddress address;
    private final RpcOptions options;
    private final LongAdder frames;

    // mutable, confined to the thread of the channel
    private final LongObjectMap<Call<?>> pending = new LongObjectHashMap<>();
    private long lastId;
    private @Nullable Channel channel;
    private @Nullable Throwable cause;

    ClientConnection(SocketAddress address, RpcOptions options, LongAdder frames) {
        this.address = address;
        this.options = options;
        this.frames = frames;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
    }

    boolean isActive() {
        return channel().isActive();
    }

    /** Sends those calls whose callers have not left. */
    CompletableFuture<@Nullable Void> write(List<Call<?>> calls) {
        return FrameWriter.write(channel(), options, frames, calls, this::begin);
    }

    private boolean begin(Call<?> call) {
        if (call.isForgotten()) {
            return false;
        }
        if (!isActive()) {
            call.fail(closed());
            return false;
        }
        call.sentBy(this, ++lastId);
        pending.put(call.id, call);
        return true;
    }

    void forget(Call<?> call) {
        pending.remove(call.id);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object received) {
        if (received instanceof Message message) {
            Call<?> call = pending.remove(message.id);
            if (call == null) {
                stray("message " + message.id + " of type " + message.type + ", which " + whyNobodys(message.id));
            } else {
                call.answer(message);
            }
        } else {
            BrokenMessage broken = (BrokenMessage) received;
            Call<?> call =
                    broken.id() == null ? null : pending.remove(broken.id().longValue());
            if (call != null) {
                call.fail(Reason.PROTOCOL, broken.defect(), null);
            } else {
                String whose = broken.id() == null
                        ? ", whose id is cut off, "
                        : " " + broken.id() + ", which " + whyNobodys(broken.id()) + ", ";
                stray("message" + whose + broken.defect());
            }
        }
    }

    private String whyNobodys(long id) {
        return id >= 1 && id <= lastId
                ? "answers a call that was answered before, timed out or was cancelled"
                : "answers no call that was ever made on this connection";
    }

    private void stray(String description) {
        options.reportStray(address, description);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        close(failure);
    }

    /** Closes the connection; its calls fail with the cause. */
    void close(Throwable why) {
        if (cause == null) {
            cause = why;
        }
        ChannelFuture unused = channel().close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        List<Call<?>> lost = new ArrayList<>(pending.values());
        pending.clear();
        RpcException failure = closed();
        lost.forEach(call -> call.fail(failure));
    }

    private RpcException closed() {
        String why = cause == null ? "it was closed by the other end" : String.valueOf(cause.getMessage());
        return new RpcException(
                Reason.CONNECTION, "The connection to " + address + " closed before the answer came: " + why, cause);
    }

    private Channel channel() {
        return requireNonNull(channel, "channel");
    }
}
