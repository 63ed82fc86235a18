package io.github.collapseexecutor.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * How often a virtual thread could not give its carrier back when it had to wait, as the JDK's flight recorder counts it:
 * {@code -prof io.github.collapseexecutor.benchmark.PinningEvents}.
 */
public final class PinningEvents implements InternalProfiler {

    static final String LABEL = "pinned";

    // mutable, confined to the harness's thread
    private Recording recording = new Recording();

    /** Called by the harness. */
    public PinningEvents() {}

    @Override
    public String getDescription() {
        return "Times that a virtual thread could not give its carrier back";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        begin();
    }

    @Override
    public Collection<ScalarResult> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        return List.of(new ScalarResult(LABEL, end(), "#", AggregationPolicy.SUM));
    }

    void begin() {
        recording.close();
        recording = new Recording();
        recording.enable("jdk.VirtualThreadPinned").withoutThreshold();
        recording.start();
    }

    /** Ends what was begun, and counts. */
    int end() {
        recording.stop();
        try {
            Path file = Files.createTempFile("pinning", ".jfr");
            try {
                recording.dump(file);
                return RecordingFile.readAllEvents(file).size();
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            recording.close();
        }
    }
}
