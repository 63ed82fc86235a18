package io.github.collapseexecutor.sample.groupcommit;

import java.util.List;

/**
 * What came of one ramp.
 *
 * @param measurement the whole of it
 * @param samples its seconds, at least one
 */
record RampResult(LoadMeasurement measurement, List<RampSample> samples) {

    Peak peak() {
        return Peak.of(samples);
    }
}
