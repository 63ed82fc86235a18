package io.github.collapseexecutor.spring.boot;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** How the observation of a batch is named, and what it tells: nothing of a caller. */
final class BatchObservationConvention implements ObservationConvention<BatchContext> {

    @Override
    public String getName() {
        return "collapse.batch";
    }

    @Override
    public String getContextualName(BatchContext context) {
        return "collapse batch";
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
