package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.spring.annotation.key.CallKey;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says that a caller has changed an argument before the call was made, which was to answer others, too. The caller who has changed it gets
 * an {@link IllegalStateException}. The others have asked for what they have asked for: they make or join another call, with their own
 * arguments. Each time that this happens, one caller less is left who has changed something.
 *
 * <p>It never leaves this package, so that a method that calls others cannot fail with it.
 */
final class ChangedArgumentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    // immutable
    /** Of the caller; compared by identity, as two callers may have equal ones. */
    private final transient Object key;

    ChangedArgumentException(AnnotatedMethod method, CallKey key) {
        super(method
                + ": an argument has changed between the call and its execution."
                + " Hand in an object that does not change before the answer is there.");
        this.key = key;
    }

    private IllegalStateException ofItsCaller() {
        return new IllegalStateException(getMessage());
    }

    /** Makes or joins a call, and another one for as long as it fails because another caller has changed an argument. */
    static @Nullable Object untilOwn(Object own, Callable<@Nullable Object> call) throws Exception {
        while (true) {
            try {
                return call.call();
            } catch (ChangedArgumentException changed) {
                if (changed.key == own) {
                    throw changed.ofItsCaller();
                }
            }
        }
    }

    /** Does the same with calls that return futures. */
    static CompletableFuture<@Nullable Object> untilOwn(Object own, Supplier<? extends CompletableFuture<?>> call) {
        return LinkedStages.after(call.get(), (value, failure, answer) -> {
            if (!(failure instanceof ChangedArgumentException changed)) {
                LinkedStages.end(value, failure, answer);
            } else if (changed.key == own) {
                answer.completeExceptionally(changed.ofItsCaller());
            } else {
                LinkedStages.link(untilOwn(own, call), answer); // fails the answer if the executor was closed meanwhile
            }
        });
    }
}
