package io.github.collapseexecutor.sample.rpcmerge;

import io.github.collapseexecutor.sample.rpcmerge.Places.Place;
import io.github.collapseexecutor.sample.rpcmerge.RpcException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A client's request and what becomes of it. */
final class Call<R> extends Outgoing {

    // immutable
    private final MessageType<?, R> messageType;
    private final Place place;
    private final CompletableFuture<R> answer = new CompletableFuture<>();

    // mutable, confined to the thread of the link
    /** The connection that it was sent by. */
    private @Nullable ClientConnection connection;
    /** The caller has left. */
    private boolean forgotten;

    Call(Link link, MessageType<?, R> messageType, byte[] payload, Place place) {
        super(link, messageType.number(), Frame.REQUEST, payload);
        this.messageType = messageType;
        this.place = place;
    }

    @Override
    CompletableFuture<R> outcome() {
        return answer;
    }

    void sentBy(ClientConnection connection, long id) {
        this.connection = connection;
        this.id = id;
    }

    /** Has an answer that comes yet be a stray one, because nobody waits for it. To be called on the link's thread. */
    void forget() {
        forgotten = true;
        if (connection != null) {
            connection.forget(this);
        }
    }

    /** Makes room for another call of this type, before the caller hears of the end of this one and may make that. */
    void leave() {
        place.giveBack();
    }

    boolean isForgotten() {
        return forgotten;
    }

    /** Takes what came with this call's id for its answer. */
    void answer(Message message) {
        if (message.kind == Frame.FAILURE) { // of whatever type: the other end may not have been able to read it
            fail(Reason.REMOTE, "says: " + new String(message.payload, StandardCharsets.UTF_8), null);
        } else if (message.type != type) {
            fail(Reason.PROTOCOL, "is of type " + message.type, null);
        } else if (message.kind != Frame.REPLY) {
            fail(Reason.PROTOCOL, "is of the unknown kind " + message.kind, null);
        } else {
            decode(message.payload);
        }
    }

    private void decode(byte[] bytes) {
        R value;
        try {
            value = messageType.reply().decode(bytes);
        } catch (Exception undecodable) {
            fail(Reason.PROTOCOL, "cannot be decoded from " + bytes.length + " bytes: " + undecodable, undecodable);
            return;
        }
        leave();
        answer.complete(value);
    }

    void fail(Reason reason, String defect, @Nullable Throwable cause) {
        fail(new RpcException(reason, "The answer to " + this + " " + defect, cause));
    }

    void fail(RpcException failure) {
        leave();
        answer.completeExceptionally(failure);
    }

    @Override
    public String toString() {
        return (id == 0 ? "a call, not sent yet," : "call " + id) + " of type " + messageType;
    }
}
