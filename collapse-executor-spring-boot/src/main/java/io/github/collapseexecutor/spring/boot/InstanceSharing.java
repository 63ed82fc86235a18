package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.CallWrapper;

/**
 * Shares calls with the other instances of the application. Apart from what does it, so that an application without spring-data-redis loads
 * none of its classes.
 */
interface InstanceSharing {

    /** Returns what shares the calls of a named executor. */
    CallWrapper of(String executor);
}
