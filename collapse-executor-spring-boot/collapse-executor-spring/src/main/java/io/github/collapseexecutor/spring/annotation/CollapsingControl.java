package io.github.collapseexecutor.spring.annotation;

import io.github.collapseexecutor.core.CollapseCounts;
import io.github.collapseexecutor.core.CollapseOptions;
import java.util.List;

/**
 * Shows and switches the executors of annotated methods: a bean wherever these methods collapse.
 *
 * <pre>{@code
 * control.pause("users.byId");
 * control.resume("users.byId");
 * }</pre>
 *
 * <p>While an executor is paused, each call of its methods runs by itself, as it would without the annotation. Calls that were gathered
 * before end as they would have. An executor has the name that its annotation gives, else that of the bean and the method; methods of one
 * name are switched together. All methods are thread-safe.
 */
public final class CollapsingControl {

    // immutable
    private final AnnotatedExecutors executors;

    CollapsingControl(AnnotatedExecutors executors) {
        this.executors = executors;
    }

    /**
     * Returns the executors that there are.
     *
     * @return their names, each once, in the order in which the methods were found
     */
    public List<String> executors() {
        return executors.names();
    }

    /**
     * Has each call of the methods of an executor run by itself.
     *
     * @param executor the executor's name
     * @throws IllegalArgumentException if there is none of this name
     */
    public void pause(String executor) {
        executors.pause(known(executor));
    }

    /**
     * Ends the pause of an executor.
     *
     * @param executor the executor's name
     * @throws IllegalArgumentException if there is none of this name
     */
    public void resume(String executor) {
        executors.resume(known(executor));
    }

    /**
     * Tells whether an executor is paused.
     *
     * @param executor the executor's name
     * @return whether its methods' calls run by themselves
     * @throws IllegalArgumentException if there is none of this name
     */
    public boolean isPaused(String executor) {
        return executors.isPaused(known(executor));
    }

    /**
     * Returns how an executor gathers.
     *
     * @param executor the executor's name
     * @return its options; of several executors of this name, those of the first
     * @throws IllegalArgumentException if there is none of this name
     */
    public CollapseOptions options(String executor) {
        return executors.options(known(executor));
    }

    /**
     * Returns what is in an executor now.
     *
     * @param executor the executor's name
     * @return the counts of each executor of this name
     * @throws IllegalArgumentException if there is none of this name
     */
    public List<CollapseCounts> counts(String executor) {
        return executors.counts(known(executor));
    }

    private String known(String executor) {
        List<String> known = executors();
        if (!known.contains(executor)) {
            throw new IllegalArgumentException("There is no executor " + executor + " of an annotated method"
                    + (known.isEmpty() ? "" : ": name one of " + String.join(", ", known)));
        }
        return executor;
    }
}
