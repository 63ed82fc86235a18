package io.github.collapseexecutor.spring.boot.observe;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** How the observation of a call is named, and what it tells: nothing of the caller. */
final class CallObservationConvention implements ObservationConvention<CallContext> {

    @Override
    public String getName() {
        return "collapse.observed.calls";
    }

    @Override
    public String getContextualName(CallContext context) {
        return "collapse call";
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(CallContext context) {
        return KeyValues.of(BatchObservationConvention.nameOf(context.executor()));
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof CallContext;
    }
}
