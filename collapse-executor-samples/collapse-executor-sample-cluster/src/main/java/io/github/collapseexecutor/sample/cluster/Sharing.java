package io.github.collapseexecutor.sample.cluster;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import java.util.concurrent.Callable;
import org.springframework.context.ApplicationContext;

/** Which callers share a call. */
enum Sharing {
    /** Every caller makes its own. */
    NONE("without"),
    /** Those of one instance share. */
    INSTANCE("in each instance"),
    /** Those of all instances share. */
    CLUSTER("across instances");

    /** What all callers ask for. */
    private static final String GROUP = "price of 7";

    // immutable
    private final String words;

    Sharing(String words) {
        this.words = words;
    }

    /** Returns how a caller of an instance asks. The executors are those of the configuration. */
    Callable<Long> of(ApplicationContext instance, Callable<Long> call) {
        if (this == NONE) {
            return call;
        }
        BlockingCallableGroupCollapseExecutor executor =
                instance.getBean(this == INSTANCE ? "instance" : "prices", BlockingCallableGroupCollapseExecutor.class);
        return () -> executor.execute(GROUP, call);
    }

    @Override
    public String toString() {
        return words;
    }
}
