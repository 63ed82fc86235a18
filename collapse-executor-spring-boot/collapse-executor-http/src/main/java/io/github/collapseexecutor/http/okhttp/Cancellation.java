package io.github.collapseexecutor.http.okhttp;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import okhttp3.Call;
import okhttp3.EventListener;
import org.jspecify.annotations.Nullable;

/**
 * Ends the waiting of a call that the application or the call's own timeout cancels.
 *
 * <p>OkHttp cancels a call by closing its connection. A call that waits for another's response has no connection, and
 * therefore listens for its cancellation. Once the call is on the wire, OkHttp does the rest.
 */
final class Cancellation extends EventListener {

    // immutable
    private final Call call;
    private final CompletableFuture<@Nullable Void> canceled = new CompletableFuture<>();

    // mutable, confined to the thread that executes the call
    private boolean listening;

    Cancellation(Call call) {
        this.call = call;
    }

    @Override
    public void canceled(Call canceledCall) {
        canceled.complete(null);
    }

    /** Done when the call is cancelled. Only a call that may have to wait asks for this, so that no other is listened to. */
    CompletableFuture<@Nullable Void> signal() {
        if (!listening) {
            listening = true;
            call.addEventListener(this);
            noticeCancellation();
        }
        return canceled;
    }

    /** Fails if the call was cancelled before it goes on the wire. */
    void beginSending() throws IOException {
        noticeCancellation();
        if (call.isCanceled()) {
            throw new IOException("Canceled");
        }
    }

    /**
     * Has the {@link #signal()} done if the call was cancelled. OkHttp breaks the connection before it tells its listeners; the
     * thread that sees the connection break calls this first, so that the failure counts as this call's own.
     */
    void noticeCancellation() {
        if (call.isCanceled()) {
            canceled.complete(null);
        }
    }
}
