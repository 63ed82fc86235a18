package io.github.collapseexecutor.http;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Tells the listener of an adapter what happens, if there is one; without one it does nothing and nothing is prepared for it. */
final class HttpReporter {

    // immutable
    private final @Nullable HttpCollapseListener listener;
    private final RequestRules requests;

    // mutable, by itself
    private final AtomicBoolean failed = new AtomicBoolean();

    HttpReporter(HttpCollapseOptions options, RequestRules requests) {
        this.listener = options.rules().isEmpty() ? null : options.listener();
        this.requests = requests;
    }

    /** A request may not share a call. */
    void forwarded(HttpRequestView request, Reason reason) {
        HttpCollapseListener told = listener;
        if (told != null) {
            contain(() -> {
                CollapseRule rule = requests.ruleOf(request);
                Reason known = rule == null && reason != Reason.PATH ? Reason.NOT_CONFIGURED : reason;
                told.requestNotCollapsed(rule, known, request.method(), request.uri());
            });
        }
    }

    /** A request that might have shared a call is sent by itself. */
    void sentAlone(CollapsibleRequest request, Reason reason) {
        HttpCollapseListener told = listener;
        if (told != null) {
            contain(() -> told.requestNotCollapsed(request.rule(), reason, request.method(), request.uri()));
        }
    }

    /** A response is for its leader only. */
    void notShared(CollapsibleRequest leader, Reason reason) {
        HttpCollapseListener told = listener;
        if (told != null) {
            contain(() -> told.responseNotShared(leader.rule(), reason, leader.method(), leader.uri()));
        }
    }

    /** As the core does with what a listener throws: the first exception is seen, further ones would fill the log. */
    private void contain(Runnable call) {
        try {
            call.run();
        } catch (Throwable thrown) { // also checked exceptions, which languages other than Java do not declare
            if (thrown instanceof Error || failed.compareAndSet(false, true)) {
                show(thrown);
            }
        }
    }

    private static void show(Throwable thrown) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable ignored) {
            // As the JVM does with what such a handler throws. There is nobody left to tell.
        }
    }
}
