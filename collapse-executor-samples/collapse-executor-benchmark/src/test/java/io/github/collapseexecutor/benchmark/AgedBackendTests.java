package io.github.collapseexecutor.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.benchmark.AgedBackend.Execution;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Of the calls in flight, the oldest that none has overtaken counts. */
class AgedBackendTests {

    private final AgedBackend backend = new AgedBackend(0);

    @Test
    void theFirstToBeginIsTheOldestUntilItEnds() {
        Execution first = backend.begin(100);
        Execution second = backend.begin(110);
        assertThat(backend.oldest()).isSameAs(first);
        backend.end(first, 200);
        assertThat(backend.oldest()).isSameAs(second);
        backend.end(second, 210);
        assertThat(backend.oldest()).isNull();
        assertThat(backend.executions()).isEqualTo(2);
    }

    @Test
    void aCallThatWasOvertakenNoLongerCounts() {
        Execution hangs = backend.begin(100);
        Execution overtakes = backend.begin(110);
        Execution later = backend.begin(120);
        backend.end(overtakes, 200);
        assertThat(backend.oldest()).isSameAs(later);
        backend.end(hangs, 300);
        assertThat(backend.oldest()).isSameAs(later);
    }

    @Test
    void aCallAgesUntilItEnds() {
        Execution call = backend.begin(100);
        assertThat(call.ageAt(150)).isEqualTo(50);
        backend.end(call, 200);
        assertThat(call.ageAt(150)).isEqualTo(50);
        assertThat(call.ageAt(300)).isEqualTo(100);
    }

    @Test
    void aCallTakesItsTime() {
        AgedBackend slow = new AgedBackend(TimeUnit.MILLISECONDS.toNanos(2));
        Execution call = slow.call();
        assertThat(call.ageAt(System.nanoTime())).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(2));
        assertThat(slow.oldest()).isNull();
    }
}
