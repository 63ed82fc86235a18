package io.github.collapseexecutor.http.servlet.mvc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.servlet.ServersOfThisLine;
import io.github.collapseexecutor.http.servlet.mvc.MvcApplication.Mode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever a Spring MVC application answers, it answers the same with collapsing, byte for byte: a lone client, and each of
 * many clients that ask at once.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MvcTransparencyTests {

    private static final int CASES_AT_ONCE = 4;

    /** On each server; what differs on one is left out there ({@link MvcTable}). */
    private static final int LEAST_CASES = 214;

    /**
     * Handlers that throw when they have gone on asynchronously. Undertow itself answers a client whose request has been dispatched
     * with an error page that has no body; clients that wait get the whole page.
     */
    private static final Pattern THROWS_LATE =
            Pattern.compile("/async/\\w+/broken|/late-broken|/body-failing|/failing-first");

    // immutable
    private final ExecutorService pool = Executors.newFixedThreadPool(CASES_AT_ONCE);

    // mutable, confined to the test's thread
    private final Map<Make, Setup> setups = new EnumMap<>(Make.class);

    /** The servers of one make, and what the one without collapsing answers. */
    private static final class Setup {

        // immutable
        private final Make make;
        private final MvcServer off;

        // mutable, thread-safe
        private final Map<MvcCase, Reference> references = new ConcurrentHashMap<>();

        // mutable, confined to the test's thread
        private final Map<Mode, MvcServer> collapsing = new EnumMap<>(Mode.class);

        Setup(Make make) throws Exception {
            this.make = make;
            this.off = MvcServer.start(make, Mode.OFF);
        }

        MvcServer collapsing(Mode mode) throws Exception {
            MvcServer server = collapsing.get(mode);
            if (server == null) {
                server = MvcServer.start(make, mode);
                collapsing.put(mode, server);
            }
            return server;
        }

        Reference referenceOf(MvcCase row) {
            return references.computeIfAbsent(row, asked -> Reference.of(asked, off.port()));
        }

        void close() throws Exception {
            for (MvcServer server : collapsing.values()) {
                server.close();
            }
            off.close();
        }
    }

    /** What a case did. */
    private record Verdict(Reference reference, MvcClient.Result together, List<RawReply> alone) {

        boolean isShared(Mode mode) {
            return mode == Mode.FRESH ? together.runs() < together.replies().size() : together.runs() == 1;
        }

        /** All but what a client that is one of many gets, whose body may be larger than that of a lone one. */
        void assertTheSameAlone(String name) {
            assertThat(reference.comparable(alone))
                    .as("%s: a lone client", name)
                    .isEqualTo(reference.replies());
            String status =
                    reference.replies().get(0).head().lines().findFirst().orElseThrow();
            assertThat(together.replies())
                    .as(name)
                    .allSatisfy(replies -> assertThat(replies.get(0).head()).startsWith(status));
        }

        void assertTheSame(String name) {
            assertThat(reference.deterministic())
                    .as("%s: deterministic without collapsing", name)
                    .isTrue();
            assertThat(reference.comparable(alone))
                    .as("%s: a lone client", name)
                    .isEqualTo(reference.replies());
            for (int i = 0; i < together.replies().size(); i++) {
                assertThat(reference.comparableAmongMany(together.replies().get(i)))
                        .as("%s: client %d of many at once, of which %d ran the handler", name, i, together.runs())
                        .isEqualTo(reference.replies());
            }
        }
    }

    @AfterAll
    void stop() throws Exception {
        pool.shutdownNow();
        assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        for (Setup setup : setups.values()) {
            setup.close();
        }
    }

    private static List<Mode> modesOf(Make make) {
        if (Make.EVERY_SETTING) {
            return List.of(Mode.IN_FLIGHT_BLOCKING, Mode.IN_FLIGHT_ASYNC, Mode.FRESH);
        }
        return switch (make) {
            case TOMCAT -> List.of(Mode.IN_FLIGHT_BLOCKING, Mode.IN_FLIGHT_ASYNC);
            case JETTY -> List.of(Mode.IN_FLIGHT_BLOCKING);
            case UNDERTOW -> List.of();
        };
    }

    /** The ordinary build asks Tomcat for all of them where callers block; of what else there is, each other one, so that each is asked twice. */
    private static List<MvcCase> casesOf(Make make, Mode mode) {
        List<MvcCase> cases = MvcTable.casesOn(make);
        if (Make.EVERY_SETTING || (make == Make.TOMCAT && mode == Mode.IN_FLIGHT_BLOCKING)) {
            return cases;
        }
        int first = make == Make.TOMCAT ? 0 : 1;
        return IntStream.range(0, cases.size())
                .filter(i -> i % 2 == first)
                .mapToObj(cases::get)
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void theTableHasAllItsCases(Make make) {
        assertThat(MvcTable.casesOn(make)).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(LEAST_CASES);
    }

    @TestFactory
    Stream<DynamicContainer> everyCaseIsAnsweredTheSame() {
        return Stream.of(Make.values())
                .filter(ServersOfThisLine::include)
                .flatMap(make -> modesOf(make).stream()
                        .map(mode -> DynamicContainer.dynamicContainer(
                                make + " " + mode, Stream.of(0).flatMap(unused -> testsOf(make, mode)))));
    }

    private Stream<DynamicTest> testsOf(Make make, Mode mode) {
        Map<MvcCase, Future<Verdict>> verdicts = new LinkedHashMap<>();
        try {
            Setup setup = setups.get(make);
            if (setup == null) {
                setup = new Setup(make);
                setups.put(make, setup);
            }
            Setup present = setup;
            int port = setup.collapsing(mode).port();
            for (MvcCase row : casesOf(make, mode)) {
                if (mode == Mode.IN_FLIGHT_ASYNC && row.toString().contains(" /shallow/")) {
                    continue; // that filter does not bear asynchronous dispatches
                }
                verdicts.put(row, pool.submit(() -> verdictOf(row, present, port)));
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return Stream.concat(
                verdicts.entrySet().stream()
                        .map(entry -> DynamicTest.dynamicTest(
                                entry.getKey().toString(),
                                () -> assertTheSame(make, mode, entry.getKey(), verdictIn(entry)))),
                Stream.of(DynamicTest.dynamicTest(
                        "most cases are answered by one run of a handler", () -> assertMostShared(mode, verdicts))));
    }

    private static void assertTheSame(Make make, Mode mode, MvcCase row, Verdict verdict) {
        String name = make + " " + mode + ", " + row;
        if (make == Make.UNDERTOW
                && mode == Mode.IN_FLIGHT_ASYNC
                && THROWS_LATE.matcher(row.toString()).find()) {
            verdict.assertTheSameAlone(name);
        } else {
            verdict.assertTheSame(name);
        }
    }

    private static Verdict verdictOf(MvcCase row, Setup setup, int port) throws Exception {
        Reference reference = setup.referenceOf(row);
        MvcClient.Result together = MvcClient.burst(row, port, Make.CLIENTS);
        return new Verdict(reference, together, MvcClient.alone(row, port));
    }

    private static Verdict verdictIn(Map.Entry<MvcCase, Future<Verdict>> entry) throws Exception {
        try {
            return entry.getValue().get(5, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw new AssertionError("No response to " + entry.getKey(), e.getCause());
        }
    }

    private static void assertMostShared(Mode mode, Map<MvcCase, Future<Verdict>> verdicts) throws Exception {
        List<String> shared = new ArrayList<>();
        for (Map.Entry<MvcCase, Future<Verdict>> entry : verdicts.entrySet()) {
            if (verdictIn(entry).isShared(mode)) {
                shared.add(entry.getKey().toString());
            }
        }
        assertThat(shared).hasSizeGreaterThan(verdicts.size() / 2);
    }
}
