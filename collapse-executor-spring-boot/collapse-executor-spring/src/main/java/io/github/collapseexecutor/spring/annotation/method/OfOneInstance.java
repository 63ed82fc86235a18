package io.github.collapseexecutor.spring.annotation.method;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * Takes what is the business of one instance past the codec, which is asked about exceptions only: other instances must not be told of it, and
 * each of them makes the call itself.
 */
final class OfOneInstance extends Error {

    private static final long serialVersionUID = 1L;

    // immutable
    private final transient @Nullable Object answer;
    private final @Nullable Throwable failure;

    private OfOneInstance(@Nullable Object answer, @Nullable Throwable failure) {
        super(failure);
        this.answer = answer;
        this.failure = failure;
    }

    /** The callers of this instance get one or the other. */
    static OfOneInstance ended(@Nullable Object answer, @Nullable Throwable failure) {
        return new OfOneInstance(answer, failure);
    }

    /** The call fails for the callers of this instance. */
    static OfOneInstance failed(Throwable failure) {
        return new OfOneInstance(null, failure);
    }

    /** The caller has to make its own call. */
    static OfOneInstance ownCall() {
        return new OfOneInstance(BatchAnswers.OWN_CALL, null);
    }

    /** What the callers get, if there is no failure. */
    @Nullable Object answer() {
        return answer;
    }

    @Nullable Throwable failure() {
        return failure;
    }

    /** Returns the answer, or throws the failure. */
    Callable<?> outcome() {
        return () -> {
            if (failure != null) {
                ReflectionUtils.rethrowException(failure);
            }
            return answer;
        };
    }
}
