package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.CallWrapper;
import io.github.collapseexecutor.http.OtherInstances;

/**
 * Shares calls with the other instances of the application. Apart from what does it, so that an application without spring-data-redis loads
 * none of its classes.
 */
interface InstanceSharing {

    /** Returns what shares the calls of a named executor. */
    CallWrapper of(String executor);

    /** Returns what shares the responses of a named client. */
    OtherInstances http(String client);
}
