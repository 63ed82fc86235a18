package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.spring.boot.registry.ExecutorObserver;

/** Measures the executors of annotated methods. */
final class AnnotatedMethodMeters implements ExecutorObserver {

    // immutable
    private final CollapseMeters meters;

    AnnotatedMethodMeters(CollapseMeters meters) {
        this.meters = meters;
    }

    @Override
    public CollapseListener listenerOfExecutor(String executor) {
        return meters.listener();
    }

    @Override
    public void made(String name, CollapseExecutor executor) {
        meters.watch(name, executor);
    }

    @Override
    public void passed(String name) {
        meters.named(name).all().forEach(measured -> measured.notCollapsed(Reason.PAUSED));
    }
}
