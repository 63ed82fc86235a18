package io.github.collapseexecutor.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

/** Callers of a batch that change what they have handed in: each fails alone, and the others get what they have asked for. */
class ChangedInputsTests {

    static class Rows {

        // immutable
        private final Gate gate;

        Rows(Gate gate) {
            this.gate = gate;
        }

        @CollapseBatch(method = "rows", name = "plain")
        public String row(List<String> regions, List<String> item) {
            throw new AssertionError("only the batch method is called");
        }

        public Map<List<String>, String> rows(List<String> regions, Collection<List<String>> items) {
            Map<List<String>, String> rows = new HashMap<>();
            items.forEach(item -> rows.put(List.copyOf(item), item + " of " + regions));
            gate.pass(List.copyOf(rows.values()));
            return rows;
        }

        @CollapseBatch(method = "futureRows", name = "future")
        public CompletableFuture<String> futureRow(List<String> regions, List<String> item) {
            throw new AssertionError("only the batch method is called");
        }

        public CompletableFuture<Map<List<String>, String>> futureRows(
                List<String> regions, Collection<List<String>> items) {
            return CompletableFuture.supplyAsync(() -> rows(regions, items), task -> new Thread(task).start());
        }

        @CollapseBatch(method = "monoRows", name = "mono")
        public Mono<String> monoRow(List<String> regions, List<String> item) {
            throw new AssertionError("only the batch method is called");
        }

        public Mono<Map<List<String>, String>> monoRows(List<String> regions, Collection<List<String>> items) {
            return Mono.fromFuture(() -> futureRows(regions, items));
        }
    }

    enum Kind {
        PLAIN,
        FUTURE,
        MONO;

        String executor() {
            return name().toLowerCase(Locale.ROOT);
        }

        CompletableFuture<String> ask(Rows rows, List<String> regions, List<String> item) {
            return switch (this) {
                case PLAIN ->
                    CompletableFuture.supplyAsync(() -> rows.row(regions, item), task -> new Thread(task).start());
                case FUTURE -> rows.futureRow(regions, item);
                case MONO -> rows.monoRow(regions, item).toFuture();
            };
        }
    }

    // mutable, confined to the test's thread
    private final Application application = Application.start(Rows.class);
    private final Rows rows = application.get(Rows.class);
    private final Gate gate = application.get(Gate.class);
    private int callers;

    @AfterEach
    void close() {
        gate.open();
        application.close();
    }

    private CompletableFuture<String> ask(Kind kind, List<String> regions, List<String> item) {
        CompletableFuture<String> answer = kind.ask(rows, regions, item);
        callers++;
        Burst.present(application.executor(kind.executor()), callers);
        return answer;
    }

    /** Behind its call, others gather. */
    private CompletableFuture<String> inFlight(Kind kind, List<String> regions, List<String> item) {
        gate.shut();
        CompletableFuture<String> answer = ask(kind, regions, item);
        await().until(() -> gate.executions().size() == 1);
        return answer;
    }

    private static String got(CompletableFuture<String> answer) throws Exception {
        return answer.get(60, TimeUnit.SECONDS);
    }

    private static void assertChanged(CompletableFuture<String> answer) {
        assertThatThrownBy(() -> got(answer))
                .hasRootCauseExactlyInstanceOf(IllegalStateException.class)
                .hasStackTraceContaining("an argument has changed between the call and its execution");
    }

    @ParameterizedTest
    @EnumSource
    void anotherArgumentThatChangesFailsItsCallerAlone(Kind kind) throws Exception {
        CompletableFuture<String> inFlight = inFlight(kind, List.of("EU"), List.of("tea"));
        List<String> mine = new ArrayList<>(List.of("EU"));
        CompletableFuture<String> changing = ask(kind, mine, List.of("cups"));
        CompletableFuture<String> following = ask(kind, List.of("EU"), List.of("milk"));
        mine.add("US");
        gate.open();
        assertThat(got(inFlight)).isEqualTo("[tea] of [EU]");
        assertThat(got(following)).isEqualTo("[milk] of [EU]");
        assertChanged(changing);
        assertThat(gate.executions()).containsExactly(List.of("[tea] of [EU]"), List.of("[milk] of [EU]"));
    }

    @ParameterizedTest
    @EnumSource
    void anItemThatChangesFailsItsCallerAlone(Kind kind) throws Exception {
        CompletableFuture<String> inFlight = inFlight(kind, List.of("EU"), List.of("tea"));
        List<String> mine = new ArrayList<>(List.of("cups"));
        CompletableFuture<String> changing = ask(kind, List.of("EU"), mine);
        CompletableFuture<String> following = ask(kind, List.of("EU"), List.of("cups"));
        mine.add("gold");
        gate.open();
        assertThat(got(inFlight)).isEqualTo("[tea] of [EU]");
        assertThat(got(following)).isEqualTo("[cups] of [EU]");
        assertChanged(changing);
        assertThat(gate.executions()).containsExactly(List.of("[tea] of [EU]"), List.of("[cups] of [EU]"));
    }

    /** Its answer stands under the item that it was. */
    @ParameterizedTest
    @EnumSource
    void anItemThatChangesWhileItIsAskedForFailsItsCaller(Kind kind) {
        List<String> mine = new ArrayList<>(List.of("cups"));
        CompletableFuture<String> changing = inFlight(kind, List.of("EU"), mine);
        mine.add("gold");
        gate.open();
        assertChanged(changing);
    }

    @ParameterizedTest
    @EnumSource
    void ifEveryCallerChangesSomethingThereIsNoCall(Kind kind) throws Exception {
        CompletableFuture<String> inFlight = inFlight(kind, List.of("EU"), List.of("tea"));
        List<String> mine = new ArrayList<>(List.of("cups"));
        CompletableFuture<String> changing = ask(kind, List.of("EU"), mine);
        mine.add("gold");
        gate.open();
        assertThat(got(inFlight)).isEqualTo("[tea] of [EU]");
        assertChanged(changing);
        assertThat(gate.executions()).hasSize(1);
    }
}
