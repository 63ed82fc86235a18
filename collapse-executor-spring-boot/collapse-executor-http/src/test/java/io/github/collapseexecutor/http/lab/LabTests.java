package io.github.collapseexecutor.http.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.lab.Lab.Difference;
import io.github.collapseexecutor.http.servlet.ServersOfThisLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The lab: applications and callers that are made out of parts, each with collapsing and without. In the ordinary build, some seeds; profile
 * {@code proofs} drives more. {@code -Dhttp.lab.minutes} drives others for as long on each server, {@code -Dhttp.lab.seed} one set-up again
 * and again; {@code -Dhttp.lab.server} names a server.
 */
class LabTests {

    private static final int SHORT_FORM = 600;

    private static final int FORM = Integer.getInteger("http.fuzz.requests", SHORT_FORM);

    private static final int SEEDS = FORM / 40;

    /** Where others work beside, a time-out of the plain application is a difference, too: in the ordinary build, one has to come again. */
    private static final int CHANCES = FORM > SHORT_FORM ? 0 : 10;

    private static final int REPEATED = 50;

    private static final int MOST_DIFFERENCES = 5;

    static Stream<LabMake> servers() {
        String only = System.getProperty("http.lab.server");
        return Stream.of(LabMake.values())
                .filter(make -> make.isReactive() || ServersOfThisLine.include(make))
                .filter(make -> only == null || make.name().equals(only));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void everyCallerGetsWhatTheSameApplicationGivesWithoutCollapsing(LabMake make) {
        List<Difference> differences = new ArrayList<>();
        try (LabServer server = make.start()) {
            Lab lab = new Lab(server);
            seeds().takeWhile(seed -> differences.size() < MOST_DIFFERENCES).forEach(seed -> {
                Optional<Difference> difference = lab.difference(seed);
                if (difference.isPresent() && comesAgain(lab, seed)) {
                    differences.add(lab.shrunk(difference.orElseThrow()));
                }
            });
            assertThat(differences)
                    .as(
                            "of %d set-ups with %d requests; each again with -Dhttp.lab.server=%s -Dhttp.lab.seed=…",
                            lab.setups(), lab.requests(), make)
                    .isEmpty();
            if (Long.getLong("http.lab.seed") == null) { // one set-up need not share anything
                assertThat(lab.runs()).as("runs of handlers").isLessThan(lab.requests());
            }
        }
    }

    private static boolean comesAgain(Lab lab, long seed) {
        return CHANCES == 0
                || LongStream.range(0, CHANCES)
                        .anyMatch(again -> lab.difference(seed).isPresent());
    }

    private static LongStream seeds() {
        Long seed = Long.getLong("http.lab.seed");
        Long minutes = Long.getLong("http.lab.minutes");
        if (seed != null) {
            return LongStream.generate(() -> seed).limit(REPEATED);
        }
        if (minutes != null) {
            long end = System.nanoTime() + Duration.ofMinutes(minutes).toNanos();
            return LongStream.iterate(System.currentTimeMillis() * 1_000, next -> next + 1)
                    .takeWhile(next -> System.nanoTime() - end < 0);
        }
        return LongStream.range(0, SEEDS);
    }
}
