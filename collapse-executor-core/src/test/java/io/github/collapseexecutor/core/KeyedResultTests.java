package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** C11: of the keys of a batch some fail, and others have values. */
class KeyedResultTests {

    private final CollapseOptions oneAtATime =
            CollapseOptions.builder().maxConcurrentBatches(1).build();
    private final List<Collection<String>> batches = Collections.synchronizedList(new ArrayList<>());
    private final CompletableFuture<String> gate = new CompletableFuture<>();
    private final IOException down = new IOException("shard down");
    private final StackOverflowError error = new StackOverflowError("deep");

    private KeyedResult<String, String> result(Collection<String> keys) {
        Map<String, String> values = new HashMap<>();
        Map<String, Throwable> failures = new HashMap<>();
        for (String key : keys) {
            if (key.startsWith("io")) {
                failures.put(key, down);
                values.put(key, "half an answer");
            } else if (key.startsWith("error")) {
                failures.put(key, error);
            } else if (!key.startsWith("missing")) {
                values.put(key, Backend.answer(key));
            }
        }
        return KeyedResult.of(values, failures);
    }

    private KeyedResult<String, String> heldResult(Collection<String> keys) throws Exception {
        batches.add(keys);
        gate.get(10, TimeUnit.SECONDS);
        return result(keys);
    }

    private FunctionSubject subject(Kind kind) {
        return switch (kind) {
            case BLOCKING -> {
                BlockingCollapseExecutor<String, String> executor =
                        CollapseExecutors.blockingByKey(this::heldResult, MissingKeyPolicy.FAILURE, oneAtATime);
                yield input -> new Caller.OnThread("caller of " + input, () -> executor.execute(input));
            }
            case ASYNC -> {
                FutureCollapseExecutor<String, String> executor =
                        CollapseExecutors.asyncByKey(this::heldResult, MissingKeyPolicy.FAILURE, oneAtATime);
                yield input -> new Caller.OfFuture(executor.execute(input));
            }
            case FUTURE -> {
                FutureCollapseExecutor<String, String> executor = CollapseExecutors.futureByKey(
                        (Collection<String> keys) -> {
                            batches.add(keys);
                            return gate.thenApply(open -> result(keys));
                        },
                        MissingKeyPolicy.FAILURE,
                        oneAtATime);
                yield input -> new Caller.OfFuture(executor.execute(input));
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void P07_aKeyThatFailedFailsItsOwnCallersOnly(Kind kind) throws Exception {
        FunctionSubject subject = subject(kind);
        subject.submit("first");
        Eventually.until(() -> batches.size() == 1);
        List<Caller> callers = new ArrayList<>();
        for (String key : List.of("a", "io 1", "io 1", "error", "missing", "b")) {
            callers.add(subject.submit(key).awaitJoined());
        }
        gate.complete("open");
        assertThat(callers.get(0).output()).isEqualTo("answer to a");
        assertThat(callers.get(1).failure()).isSameAs(down);
        assertThat(callers.get(2).failure()).isSameAs(down);
        assertThat(callers.get(3).failure()).isSameAs(error);
        assertThat(callers.get(4).failure()).isInstanceOf(UnboundOutputException.class);
        assertThat(callers.get(5).output()).isEqualTo("answer to b");
        assertThat(batches).hasSize(2);
    }

    @Test
    void itIsAMapOfTheValues() {
        Map<String, String> values = new HashMap<>();
        values.put("a", "A");
        values.put("null", null);
        KeyedResult<String, String> result = KeyedResult.of(values, Map.of("b", down));
        assertThat(result).isEqualTo(values).hasToString(values.toString());
        assertThat(result.get("a")).isEqualTo("A");
        assertThat(result.containsKey("null")).isTrue();
        assertThat(result.containsKey("b")).isFalse();
        assertThat(result.failures()).containsExactly(Map.entry("b", down));
    }

    @Test
    void itDoesNotChange() {
        Map<String, Throwable> failures = new HashMap<>(Map.of("b", down));
        KeyedResult<String, String> result = KeyedResult.of(new HashMap<>(), failures);
        failures.clear();
        assertThat(result.failures()).containsKey("b");
        assertThatThrownBy(() -> result.put("a", "A")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> result.failures().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void aFailureThatIsNullIsRefused() {
        Map<String, Throwable> failures = new HashMap<>();
        failures.put("a", null);
        assertThatThrownBy(() -> KeyedResult.of(Map.of(), failures))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("a failure is null: leave its key out");
        assertThatThrownBy(() -> KeyedResult.of(null, Map.of()))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("values");
    }
}
