package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.KeyedResult;
import io.github.collapseexecutor.core.UnboundOutputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys without a value and bulk calls that fail, and what other instances learn of them. */
class SharedKeysFailureTests extends SharedKeysFixture {

    /** Shares every failure by its message. */
    private static final class FailureCodec implements ResultCodec<String> {

        @Override
        public byte[] encode(String result) {
            return Instance.bytes(result);
        }

        @Override
        public String decode(byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        @Override
        public byte[] encodeFailure(Exception failure) {
            return Instance.bytes(String.valueOf(failure.getMessage()));
        }

        @Override
        public Exception decodeFailure(byte[] bytes) {
            return new IOException(decode(bytes));
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void anAbsentValueAndAFailureAreTheSameElsewhere(Form form) throws Exception {
        ResultCodec<String> codec = new FailureCodec().withFormat("");
        Asker first = new Asker(form, joining(), "users", codec);
        Asker second = new Asker(form, joining(), "users", codec);
        Future<Map<Object, String>> ofFirst = first.ask("none", "null", "bad", "good");
        Bulk held = first.next();
        Future<Map<Object, String>> ofSecond = second.ask("none", "null", "bad", "good");
        awaitWaiter("none");
        awaitWaiter("good");
        Map<Object, String> values = new HashMap<>();
        values.put("null", null);
        values.put("good", "value");
        held.end().complete(KeyedResult.of(values, Map.of("bad", new IOException("bad key"))));
        for (Future<Map<Object, String>> answer : List.of(ofFirst, ofSecond)) {
            Map<Object, String> got = answer.get();
            assertThat(got)
                    .containsEntry("null", null)
                    .containsEntry("good", "value")
                    .doesNotContainKey("none");
            assertThat(((KeyedResult<Object, String>) got).failures().get("bad"))
                    .isInstanceOf(IOException.class)
                    .hasMessage("bad key");
        }
        assertThat(calls).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void afterAFailureElsewhereAnInstanceAsksForTheKeyItself(Form form) throws Exception {
        Asker first = new Asker(form, joining());
        Asker second = new Asker(form, joining());
        Future<Map<Object, String>> ofFirst = first.ask(1);
        Bulk held = first.next();
        Future<Map<Object, String>> ofSecond = second.ask(1, 2);
        second.next().answer("of B");
        awaitWaiter(1);
        held.end().completeExceptionally(new IOException("no backend"));
        assertThatThrownBy(ofFirst::get).hasRootCauseMessage("no backend");
        Bulk own = second.next();
        assertThat(own.keys()).containsExactly(1);
        own.answer("of B");
        assertThat(ofSecond.get()).isEqualTo(Map.of(1, "1 of B", 2, "2 of B"));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void aBulkCallThatFailsFailsItsKeysOnly(Form form) throws Exception {
        Asker first = new Asker(form, joining());
        Asker second = new Asker(form, joining());
        Future<Map<Object, String>> ofFirst = first.ask(1);
        Bulk held = first.next();
        Future<Map<Object, String>> ofSecond = second.ask(1, 2);
        second.next().end().completeExceptionally(new IOException("no backend"));
        awaitWaiter(1);
        held.answer("of A");
        KeyedResult<Object, String> got = (KeyedResult<Object, String>) ofSecond.get();
        assertThat(got).containsEntry(1, "1 of A").hasSize(1);
        assertThat(got.failures().get(2)).hasMessage("no backend");
        ofFirst.get();
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void aFunctionThatReturnsNullFailsItsBatch(Form form) throws Exception {
        Asker only = new Asker(form, instance());
        Future<Map<Object, String>> answer = only.ask(1);
        only.next().end().complete(null);
        assertThat(((KeyedResult<Object, String>) answer.get()).failures().get(1))
                .isInstanceOf(UnboundOutputException.class);
        await().untilAsserted(() ->
                assertThat(redis.commands().hget(nameOf(1), "leases")).isEmpty());
    }
}
