package io.github.collapseexecutor.http.servlet.mvc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.servlet.ServersOfThisLine;
import io.github.collapseexecutor.http.servlet.mvc.MvcApplication.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Handlers that write piece by piece on threads of their own, while every processor is busy: each client gets every piece once
 * and in order, however often it asks. Once in five runs of {@link MvcTransparencyTests}, on a loaded machine and on Undertow, a
 * client got its lines twice; nothing has shown that since.
 */
class LoadedStreamTests {

    private static final int CLIENTS = 16;

    /** How often each client asks; profile {@code proofs} asks more often. */
    private static final int ROUNDS = Integer.getInteger("http.rounds", 20) / 4;

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    static Stream<Arguments> streamsOnServers() {
        return Stream.of(Make.values())
                .filter(ServersOfThisLine::include)
                .flatMap(make ->
                        Stream.of(Mode.IN_FLIGHT_BLOCKING, Mode.IN_FLIGHT_ASYNC).map(mode -> Arguments.of(make, mode)));
    }

    @ParameterizedTest
    @MethodSource("streamsOnServers")
    void everyClientGetsEachPieceOnceOnALoadedMachine(Make make, Mode mode) throws Exception {
        MvcServer off = MvcServer.start(make, Mode.OFF);
        MvcServer collapsing = MvcServer.start(make, mode);
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS + PROCESSORS);
        AtomicBoolean ended = new AtomicBoolean();
        try {
            MvcCase lines = MvcCase.get("/stream/flux-lines");
            Reference reference = Reference.of(lines, off.port());
            for (int i = 0; i < PROCESSORS; i++) {
                threads.execute(() -> keepBusy(ended));
            }
            List<Future<Void>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit(asks(lines, reference, collapsing.port())));
            }
            for (Future<Void> client : clients) {
                client.get();
            }
        } finally {
            ended.set(true);
            threads.shutdownNow();
            assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
            collapsing.close();
            off.close();
        }
    }

    private static Callable<Void> asks(MvcCase row, Reference reference, int port) {
        return () -> {
            for (int round = 0; round < ROUNDS; round++) {
                assertThat(reference.comparableAmongMany(MvcClient.alone(row, port)))
                        .as("round %d", round)
                        .isEqualTo(reference.replies());
            }
            return null;
        };
    }

    private static void keepBusy(AtomicBoolean ended) {
        while (!ended.get()) {
            Thread.onSpinWait();
        }
    }
}
