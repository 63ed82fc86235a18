package io.github.collapseexecutor.spring.boot.registry;

import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.ContextCarrier;
import io.github.collapseexecutor.http.HttpCollapseListener;
import org.jspecify.annotations.Nullable;

/**
 * Listens to the adapters of every section under {@code collapse.executor}, and knows which section it listens to: for what this
 * package observes itself. Listeners of the application's are plain beans.
 */
public interface SectionObserver {

    /** Returns what is told of the batches of a section; null for nothing. */
    @Nullable CollapseListener ofBatches(String section);

    /** Returns what is told of the requests of a section. */
    HttpCollapseListener ofRequests(String section);

    /** Returns what carries the contexts of callers to the batches of a section, inside the carriers that are beans; null for nothing. */
    default @Nullable ContextCarrier carrierOf(String section) {
        return null;
    }

    /** A section that has groups has its adapters, or what they are made of. */
    void made(HttpSections.Section section);
}
