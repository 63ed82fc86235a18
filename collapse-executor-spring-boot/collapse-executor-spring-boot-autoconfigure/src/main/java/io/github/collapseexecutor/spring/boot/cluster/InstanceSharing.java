package io.github.collapseexecutor.spring.boot.cluster;

import io.github.collapseexecutor.core.CallWrapper;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.OtherInstances;
import io.github.collapseexecutor.spring.annotation.BatchSharing;
import java.util.Map;
import org.springframework.core.ResolvableType;

/**
 * Shares calls with the other instances of the application. Apart from what does it, so that an application without spring-data-redis loads
 * none of its classes.
 */
public interface InstanceSharing {

    /**
     * Returns what shares the calls of a named executor.
     *
     * @param mode the executor's own: calls that are under way answer only if it says so, too
     */
    CallWrapper of(String executor, JoinMode mode);

    /**
     * Returns what shares the calls of an annotated method.
     *
     * @param answer the type of its answers
     * @param mode as above
     * @throws IllegalArgumentException if no codec takes them
     */
    CallWrapper ofMethod(String executor, ResolvableType answer, JoinMode mode);

    /**
     * Returns what shares the batches of an annotated method.
     *
     * @param answer the type of its answers
     * @param mode as above
     * @throws IllegalArgumentException if no codec takes them
     */
    BatchSharing ofBatches(String executor, ResolvableType answer, JoinMode mode);

    /** Returns what shares the responses of a named client. */
    OtherInstances http(String client);

    /** Has this instance make all calls without the others, or ends that. */
    void pause(boolean paused);

    /** Whether this instance makes all calls without the others. */
    boolean isPaused();

    /** Returns what the endpoint shows: whether others are asked at present, and what became of batches. */
    Map<String, Object> shown();
}
