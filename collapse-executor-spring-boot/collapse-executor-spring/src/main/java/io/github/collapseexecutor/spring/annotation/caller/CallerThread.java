package io.github.collapseexecutor.spring.annotation.caller;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Runs a call with what the thread has of its caller that asked for it. */
public interface CallerThread {

    /** Where nothing is to be carried over. */
    CallerThread NONE = new CallerThread() {
        @Override
        public <T extends @Nullable Object> T run(Callable<T> call) throws Exception {
            return call.call();
        }
    };

    <T extends @Nullable Object> T run(Callable<T> call) throws Exception;
}
