package io.github.collapseexecutor.spring.boot.registry;

import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCallSummary;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.Reason;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells several listeners of requests, in their order; one that throws keeps nothing from those behind it. */
record CombinedHttpListener(List<HttpCollapseListener> listeners) implements HttpCollapseListener {

    @Override
    public void requestNotCollapsed(@Nullable CollapseRule rule, Reason reason, String method, URI uri) {
        ListenersInTurn.tell(listeners, listener -> listener.requestNotCollapsed(rule, reason, method, uri));
    }

    @Override
    public void requestReleased(CollapseRule rule, Reason reason, String method, URI uri) {
        ListenersInTurn.tell(listeners, listener -> listener.requestReleased(rule, reason, method, uri));
    }

    @Override
    public void responseNotShared(CollapseRule rule, Reason reason, String method, URI uri) {
        ListenersInTurn.tell(listeners, listener -> listener.responseNotShared(rule, reason, method, uri));
    }

    @Override
    public void requestEnded(HttpCallSummary request) {
        ListenersInTurn.tell(listeners, listener -> listener.requestEnded(request));
    }
}
