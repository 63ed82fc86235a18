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
 * name are switched together. All methods are thread-safe. It is not to be implemented by you.
 */
public interface CollapsingControl {

    /**
     * Returns the executors that there are.
     *
     * @return their names, each once, in the order in which the methods were found
     */
    List<String> executors();

    /**
     * Has each call of the methods of an executor run by itself.
     *
     * @param executor the executor's name
     * @throws IllegalArgumentException if there is none of this name
     */
    void pause(String executor);

    /**
     * Ends the pause of an executor.
     *
     * @param executor the executor's name
     * @throws IllegalArgumentException if there is none of this name
     */
    void resume(String executor);

    /**
     * Tells whether an executor is paused.
     *
     * @param executor the executor's name
     * @return whether its methods' calls run by themselves
     * @throws IllegalArgumentException if there is none of this name
     */
    boolean isPaused(String executor);

    /**
     * Returns how an executor gathers.
     *
     * @param executor the executor's name
     * @return its options; of several executors of this name, those of the first
     * @throws IllegalArgumentException if there is none of this name
     */
    CollapseOptions options(String executor);

    /**
     * Returns what is in an executor now.
     *
     * @param executor the executor's name
     * @return the counts of each executor of this name
     * @throws IllegalArgumentException if there is none of this name
     */
    List<CollapseCounts> counts(String executor);
}
