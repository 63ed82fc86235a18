package io.github.collapseexecutor.spring.annotation.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.CompiledAtRunTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The lab of annotated methods: beans that are made out of parts, each with collapsing and without. In the ordinary build, some seeds.
 * {@code -Dmethods.lab.minutes} drives other seeds for as long; {@code -Dmethods.lab.seed} drives one set-up again and again.
 */
class MethodLabTests {

    private static final int SEEDS = 40;
    private static final long MINUTES = Long.getLong("methods.lab.minutes", 0);
    private static final int REPEATED = 50;
    private static final int MOST_DIFFERENCES = 5;

    @TempDir
    Path folder;

    @Test
    void everyCallerGetsWhatTheSameBeanGivesWithoutCollapsing() throws Exception {
        List<String> differences = new ArrayList<>();
        try (MethodLab lab = new MethodLab()) {
            Long only = Long.getLong("methods.lab.seed");
            if (only != null) {
                for (int i = 0; i < REPEATED && differences.isEmpty(); i++) {
                    drive(lab, LongStream.of(only), differences);
                }
            } else if (MINUTES > 0) {
                long end = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();
                long from = System.currentTimeMillis();
                while (System.nanoTime() - end < 0 && differences.size() < MOST_DIFFERENCES) {
                    drive(lab, LongStream.range(from, from + SEEDS), differences);
                    from += SEEDS;
                }
                System.out.printf(
                        "%d calls, %d executions, %d without collapsing; %d refused, %d explained%n",
                        lab.calls(), lab.executions(), lab.plainExecutions(), lab.refused(), lab.explained());
            } else {
                drive(lab, LongStream.range(0, SEEDS), differences);
                assertThat(lab.executions()).as("executions").isLessThan(lab.plainExecutions());
                assertThat(lab.refused()).as("refused").isLessThan(SEEDS / 2);
            }
        }
        assertThat(differences).isEmpty();
    }

    private void drive(MethodLab lab, LongStream seeds, List<String> differences) throws Exception {
        List<MethodSetup> setups = seeds.mapToObj(MethodSetup::of).toList();
        Path sources = Files.createTempDirectory(folder, "sources");
        for (MethodSetup setup : setups) {
            Files.writeString(sources.resolve(MethodSource.nameOf(setup) + ".java"), MethodSource.of(setup));
        }
        try (CompiledAtRunTime compiled = new CompiledAtRunTime(sources)) {
            for (MethodSetup setup : setups) {
                List<String> found = lab.differences(setup, compiled.named("lab." + MethodSource.nameOf(setup)));
                if (!found.isEmpty()) {
                    String difference = "-Dmethods.lab.seed=%d: %s%n%s%n%s"
                            .formatted(setup.seed(), setup, String.join("\n", found), MethodSource.of(setup));
                    differences.add(difference);
                    System.out.println(difference); // a long run is not waited for
                }
            }
        }
    }
}
