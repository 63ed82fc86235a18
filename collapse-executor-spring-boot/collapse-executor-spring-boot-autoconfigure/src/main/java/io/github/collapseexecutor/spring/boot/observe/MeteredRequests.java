package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCallSummary;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.Reason;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Measures what the adapters of a section tell of their requests. */
final class MeteredRequests implements HttpCollapseListener {

    // immutable
    private final NamedMeters meters;

    MeteredRequests(CollapseMeters meters, String section) {
        this.meters = meters.named(section);
    }

    @Override
    public void requestNotCollapsed(@Nullable CollapseRule rule, Reason reason, String method, URI uri) {
        for (ExecutorMeters measured : meters.all()) {
            measured.notCollapsed(reason);
        }
    }

    @Override
    public void responseNotShared(CollapseRule rule, Reason reason, String method, URI uri) {
        for (ExecutorMeters measured : meters.all()) {
            measured.notShared(reason);
        }
    }

    @Override
    public void requestEnded(HttpCallSummary request) {
        for (ExecutorMeters measured : meters.all()) {
            measured.call(request.role(), request.outcome(), request.durationNanos());
            if (request.isSaved()) {
                measured.saved(1);
            }
        }
    }
}
