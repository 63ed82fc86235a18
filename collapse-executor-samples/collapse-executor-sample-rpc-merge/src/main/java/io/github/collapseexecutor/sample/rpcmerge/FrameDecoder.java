package io.github.collapseexecutor.sample.rpcmerge;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.List;

/**
 * Reads messages one by one, however large their frames are, and goes on behind those that cannot be used.
 *
 * <p>At most one message of the permitted size is held in memory: a larger one is dropped as its bytes arrive. A message that does not fit into its
 * frame ends with the frame, because the next frame begins there whatever the message says of itself. Only a
 * length of a frame that can be none leaves nothing to go on from.
 */
final class FrameDecoder extends ByteToMessageDecoder {

    // immutable
    private final int maxPayloadBytes;

    // mutable, confined to the thread of the channel
    /** How much of the present frame is still to come. */
    private int rest;
    /** How much of it is to be dropped. */
    private int dropping;
    /** Nothing that arrives makes sense any more. */
    private boolean lost;

    FrameDecoder(RpcOptions options) {
        this.maxPayloadBytes = Frame.maxPayloadBytes(options);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (lost) {
            in.skipBytes(in.readableBytes());
        } else if (dropping > 0) {
            int here = Math.min(dropping, in.readableBytes());
            take(in, here);
            dropping -= here;
        } else if (rest == 0) {
            beginFrame(in);
        } else if (rest < Frame.HEADER_BYTES) {
            endInsideHeader(in, out);
        } else if (in.readableBytes() >= Frame.HEADER_BYTES) {
            readMessage(in, out);
        }
    }

    private void beginFrame(ByteBuf in) {
        if (in.readableBytes() < Frame.LENGTH_BYTES) {
            return;
        }
        rest = in.readInt();
        if (rest <= 0) {
            lost = true;
            throw new CorruptedFrameException("A frame says that it has " + rest
                    + " bytes: where the next one begins is not known. Does the other end speak this protocol?");
        }
    }

    private void endInsideHeader(ByteBuf in, List<Object> out) {
        if (in.readableBytes() < rest) {
            return;
        }
        Long id = rest < Long.BYTES ? null : in.getLong(in.readerIndex());
        out.add(new BrokenMessage(
                id, "is too short: its frame ends after " + rest + " of the " + Frame.HEADER_BYTES + " header bytes"));
        take(in, rest);
    }

    private void readMessage(ByteBuf in, List<Object> out) {
        int start = in.readerIndex();
        long id = in.getLong(start);
        int type = in.getUnsignedShort(start + Long.BYTES);
        byte kind = in.getByte(start + Long.BYTES + Short.BYTES);
        int length = in.getInt(start + Frame.HEADER_BYTES - Integer.BYTES);
        if (length < 0 || length > rest - Frame.HEADER_BYTES) {
            take(in, Frame.HEADER_BYTES);
            out.add(new BrokenMessage(
                    id, "is too short: it says that it has " + length + " bytes, but its frame ends after " + rest));
            dropping = rest;
        } else if (length > maxPayloadBytes) {
            take(in, Frame.HEADER_BYTES);
            out.add(new BrokenMessage(
                    id, "is too large: it has " + length + " bytes, and maxFrameBytes permits " + maxPayloadBytes));
            dropping = length;
        } else if (in.readableBytes() >= Frame.HEADER_BYTES + length) {
            take(in, Frame.HEADER_BYTES);
            byte[] payload = new byte[length];
            in.getBytes(in.readerIndex(), payload);
            take(in, length);
            out.add(new Message(id, type, kind, payload));
        }
    }

    private void take(ByteBuf in, int bytes) {
        in.skipBytes(bytes);
        rest -= bytes;
    }
}
