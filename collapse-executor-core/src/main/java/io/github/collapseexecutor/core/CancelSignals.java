package io.github.collapseexecutor.core;

import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The link from a cancel signal to a call, which keeps nothing of a call that has ended, however long its caller keeps the signal. */
final class CancelSignals {

    private CancelSignals() {}

    /**
     * Runs an action when the signal is done, if what it is for is still in use then.
     *
     * @param waiting kept by others as long as the call waits: by its caller's stack, or by its batch
     * @param leave refers to nothing else of the call
     */
    static <T> void link(CompletableFuture<?> signal, T waiting, Consumer<? super T> leave) {
        WeakReference<T> inUse = new WeakReference<>(waiting);
        Stages.whenEnded(signal, (value, failure) -> {
            T present = inUse.get();
            if (present != null) {
                leave.accept(present);
            }
        });
    }
}
