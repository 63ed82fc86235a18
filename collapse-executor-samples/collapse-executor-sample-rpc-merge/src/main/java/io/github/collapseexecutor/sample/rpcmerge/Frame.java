package io.github.collapseexecutor.sample.rpcmerge;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.List;

/**
 * What is sent at once: a length, and as many messages as that many bytes hold.
 *
 * <pre>
 * frame   = length of all messages (4 bytes), message, message…
 * message = id (8), type (2), kind (1), length of the payload (4), payload
 * </pre>
 *
 * <p>All numbers have their highest byte first. A request has the id that its connection gave it; whatever answers it has
 * the same id and type, in whichever frame and in whichever order.
 */
final class Frame {

    static final byte REQUEST = 1;
    static final byte REPLY = 2;
    /** A reply whose payload says, in UTF-8, why there is none. */
    static final byte FAILURE = 3;

    /** The bytes before the first message. */
    static final int LENGTH_BYTES = Integer.BYTES;
    /** The bytes of a message before its payload. */
    static final int HEADER_BYTES = Long.BYTES + Short.BYTES + Byte.BYTES + Integer.BYTES;

    private Frame() {}

    static int maxPayloadBytes(RpcOptions options) {
        return options.maxFrameBytes() - LENGTH_BYTES - HEADER_BYTES;
    }

    static ByteBuf encode(Channel channel, List<? extends Outgoing> messages) {
        int bytes = LENGTH_BYTES;
        for (Outgoing message : messages) {
            bytes += message.frameBytes();
        }
        ByteBuf frame = channel.alloc().ioBuffer(bytes, bytes);
        frame.writeInt(bytes - LENGTH_BYTES);
        for (Outgoing message : messages) {
            frame.writeLong(message.id);
            frame.writeShort(message.type);
            frame.writeByte(message.kind);
            frame.writeInt(message.payload.length);
            frame.writeBytes(message.payload);
        }
        return frame;
    }
}
