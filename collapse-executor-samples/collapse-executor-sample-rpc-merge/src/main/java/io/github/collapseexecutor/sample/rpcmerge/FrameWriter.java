package io.github.collapseexecutor.sample.rpcmerge;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages in order, in as few frames as the limits allow, one after another: the next is put together when the one
 * before has been handed to the system, so that what the other end does not take is not piled up.
 *
 * <p>Confined to the thread of the channel.
 */
final class FrameWriter<T extends Outgoing> {

    // immutable
    private final Channel channel;
    private final RpcOptions options;
    private final LongAdder frames;
    private final List<? extends T> messages;
    private final Predicate<? super T> begin;
    private final CompletableFuture<@Nullable Void> written = new CompletableFuture<>();

    // mutable
    private int next;

    private FrameWriter(
            Channel channel,
            RpcOptions options,
            LongAdder frames,
            List<? extends T> messages,
            Predicate<? super T> begin) {
        this.channel = channel;
        this.options = options;
        this.frames = frames;
        this.messages = messages;
        this.begin = begin;
    }

    /**
     * Writes messages.
     *
     * @param frames counts frames
     * @param begin is told of each message just before it becomes part of a frame, and says whether it is to
     * @return completes when the last message has been handed to the system, or the channel has failed, which its handler
     *     hears of too
     */
    static <T extends Outgoing> CompletableFuture<@Nullable Void> write(
            Channel channel,
            RpcOptions options,
            LongAdder frames,
            List<? extends T> messages,
            Predicate<? super T> begin) {
        FrameWriter<T> writer = new FrameWriter<>(channel, options, frames, messages, begin);
        writer.writeRest();
        return writer.written;
    }

    private void writeRest() {
        while (next < messages.size()) {
            List<T> frame = nextFrame();
            if (!frame.isEmpty()) {
                frames.increment();
                ChannelFuture handedOver = channel.writeAndFlush(Frame.encode(channel, frame));
                if (!handedOver.isDone()) {
                    ChannelFuture unused = handedOver.addListener(done -> writeRest());
                    return;
                }
            }
        }
        written.complete(null);
    }

    private List<T> nextFrame() {
        List<T> frame = new ArrayList<>();
        int bytes = Frame.LENGTH_BYTES;
        while (next < messages.size()
                && frame.size() < options.maxFrameMessages()
                && bytes + messages.get(next).frameBytes() <= options.maxFrameBytes()) {
            T message = messages.get(next++);
            if (begin.test(message)) {
                frame.add(message);
                bytes += message.frameBytes();
            }
        }
        return frame;
    }
}
