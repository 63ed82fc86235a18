package io.github.collapseexecutor.sample.rpcmerge;

/** One message of a frame, as it was received. */
final class Message {

    // immutable
    /** Says whose it is, on its connection. */
    final long id;
    /** The {@linkplain MessageType#number() number} of its type. */
    final int type;
    /** One of {@link Frame}'s. */
    final byte kind;
    /** Not to be changed. */
    final byte[] payload;

    Message(long id, int type, byte kind, byte[] payload) {
        this.id = id;
        this.type = type;
        this.kind = kind;
        this.payload = payload;
    }
}
