package io.github.collapseexecutor.http.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.fixture.TestForm;
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
 * The lab: applications, clients and callers that are made out of parts, each with collapsing and without. In the ordinary build, some seeds;
 * profile {@code proofs} drives them for two hours. {@code -Dhttp.lab.minutes} drives all servers together for as long, and then all clients,
 * with other seeds. {@code -Dhttp.lab.seed} drives one set-up again and again; {@code -Dhttp.lab.of} names servers and
 * clients. {@code -Dhttp.lab.control=true} compares what does not collapse with itself: a limit that explains something then is not the product's.
 */
class LabTests {

    private static final int SEEDS = TestForm.REQUESTS / 20;

    /** Where others work beside, a time-out of the plain application is a difference, too: in the ordinary build, one has to come again. */
    private static final int CHANCES = TestForm.isLong() ? 0 : 10;

    /** How long all servers are driven, one after another, and all clients, too; 0 for a number of seeds each. */
    private static final long MINUTES = Long.getLong("http.lab.minutes", 0);

    /** For how long a long run looks for a difference without collapsing: a failure of a server's or client's own may come once in thousands of runs. */
    private static final Duration PATIENCE = TestForm.isLong() || MINUTES > 0 ? Duration.ofMinutes(2) : Duration.ZERO;

    private static final int REPEATED = 50;

    private static final int MOST_DIFFERENCES = 5;

    /** Servers, and clients over their transports; those whose names begin with {@code http.lab.of}. */
    static Stream<LabMake> makes() {
        String only = System.getProperty("http.lab.of", "");
        return Stream.of(LabMake.values())
                .filter(make -> make.side() != LabMake.Side.SERVLET || ServersOfThisLine.include(make))
                .filter(make -> Stream.of(only.split(",", -1)).anyMatch(make.name()::startsWith));
    }

    @ParameterizedTest
    @MethodSource("makes")
    void everyCallerGetsWhatTheSameApplicationGivesWithoutCollapsing(LabMake make) {
        List<Difference> differences = new ArrayList<>();
        try (LabServer server = make.start()) {
            Lab lab = new Lab(server, PATIENCE);
            seeds(make).takeWhile(seed -> differences.size() < MOST_DIFFERENCES).forEach(seed -> {
                Optional<Difference> difference = lab.difference(seed);
                if (difference.isPresent() && comesAgain(lab, seed)) {
                    System.out.println(make + " differs, " + difference.orElseThrow()); // one that hangs shrinks slowly
                    Difference smallest = lab.shrunk(difference.orElseThrow());
                    differences.add(smallest);
                    System.out.println(make + ": " + smallest); // a long run is not waited for
                }
            });
            if (MINUTES > 0) {
                System.out.printf(
                        "%s: %d differences of %d set-ups with %d requests; explained: %s%n",
                        make, differences.size(), lab.setups(), lab.requests(), lab.explained());
            }
            assertThat(differences)
                    .as(
                            "of %d set-ups with %d requests; each again with -Dhttp.lab.of=%s -Dhttp.lab.seed=…",
                            lab.setups(), lab.requests(), make)
                    .isEmpty();
            if (lab.setups() >= SEEDS // a few need not share anything
                    && Long.getLong("http.lab.seed") == null
                    && !Boolean.getBoolean("http.lab.control")) {
                assertThat(lab.runs()).as("runs of handlers").isLessThan(lab.plainRuns());
            }
        }
    }

    private static boolean comesAgain(Lab lab, long seed) {
        return CHANCES == 0
                || LongStream.range(0, CHANCES)
                        .anyMatch(again -> lab.difference(seed).isPresent());
    }

    private static LongStream seeds(LabMake make) {
        Long seed = Long.getLong("http.lab.seed");
        if (seed != null) {
            return LongStream.generate(() -> seed).limit(REPEATED);
        }
        if (MINUTES > 0) {
            long ofThisSide =
                    makes().filter(other -> other.isClient() == make.isClient()).count();
            long end = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos() / ofThisSide;
            return LongStream.iterate(System.currentTimeMillis() * 1_000, next -> next + 1)
                    .takeWhile(next -> System.nanoTime() - end < 0);
        }
        if (make.isClient()) { // there are many of them: each has seeds of its own
            return LongStream.range(0, SEEDS / 3).map(next -> make.name().hashCode() * 1_000L + next);
        }
        return LongStream.range(0, SEEDS);
    }
}
