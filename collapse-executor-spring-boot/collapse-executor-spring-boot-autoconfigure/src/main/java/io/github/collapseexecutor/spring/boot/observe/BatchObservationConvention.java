package io.github.collapseexecutor.spring.boot.observe;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import org.jspecify.annotations.Nullable;

/** How the observation of a batch is named, and what it tells: nothing of a caller. */
final class BatchObservationConvention implements ObservationConvention<BatchContext> {

    @Override
    public String getName() {
        return "collapse.observed.batches";
    }

    @Override
    public String getContextualName(BatchContext context) {
        return "collapse batch";
    }

    /** The key under which the meters have it, too, and the same of every batch and call, as Prometheus wants it. */
    static KeyValue nameOf(@Nullable String executor) {
        return KeyValue.of(ExecutorMeters.NAME, executor == null ? KeyValue.NONE_VALUE : executor);
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(BatchContext context) {
        return KeyValues.of(nameOf(context.executor()));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(BatchContext context) {
        return KeyValues.of(KeyValue.of("collapse.batch.size", Integer.toString(context.size())));
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof BatchContext;
    }
}
