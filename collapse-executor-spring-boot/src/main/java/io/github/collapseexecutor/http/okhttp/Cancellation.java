package io.github.collapseexecutor.http.okhttp;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import okhttp3.Call;
import okhttp3.EventListener;
import org.jspecify.annotations.Nullable;

/**
 * Ends the waiting of a call that is cancelled, by whoever and for whatever reason: a time-out of the whole call is one.
 *
 * <p>OkHttp cancels by closing the connection, and a call that waits for another's answer has none; so it is called off. On the
 * wire, OkHttp does the rest.
 */
final class Cancellation extends EventListener {

    // immutable
    private final Call call;
    private final CompletableFuture<@Nullable Void> calledOff = new CompletableFuture<>();

    private Cancellation(Call call) {
        this.call = call;
    }

    /** For a call that may have to wait. */
    static Cancellation watch(Call call) {
        Cancellation cancellation = new Cancellation(call);
        call.addEventListener(cancellation);
        if (call.isCanceled()) {
            cancellation.canceled(call);
        }
        return cancellation;
    }

    @Override
    public void canceled(Call canceled) {
        calledOff.complete(null);
    }

    /** Done when the call is cancelled. */
    CompletableFuture<@Nullable Void> calledOff() {
        return calledOff;
    }

    /** The call goes on the wire, unless it has been cancelled while it waited for its turn. */
    void beginSending() throws IOException {
        if (call.isCanceled()) {
            throw new CanceledCallException(new IOException("Canceled"));
        }
    }

    /** What became of the call on the wire, told from what others must not suffer for. */
    IOException causeOf(IOException failure) {
        return call.isCanceled() ? new CanceledCallException(failure) : failure;
    }
}
