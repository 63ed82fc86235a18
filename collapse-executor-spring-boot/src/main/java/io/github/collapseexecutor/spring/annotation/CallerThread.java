package io.github.collapseexecutor.spring.annotation;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Runs a call with the user of the thread that asked for it. */
interface CallerThread {

    /** Where there are no users. */
    CallerThread NONE = new CallerThread() {
        @Override
        public <T extends @Nullable Object> T run(Callable<T> call) throws Exception {
            return call.call();
        }
    };

    <T extends @Nullable Object> T run(Callable<T> call) throws Exception;
}
