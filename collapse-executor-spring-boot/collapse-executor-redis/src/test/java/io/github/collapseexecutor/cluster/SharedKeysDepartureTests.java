package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.JoinMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Batches that leave, and instances that hang, stop no other instance. */
class SharedKeysDepartureTests extends SharedKeysFixture {

    /** The one that hangs is waited for as long as maxWait says; then one last bulk call asks for its key. */
    @ParameterizedTest
    @EnumSource(Form.class)
    void anInstanceThatHangsStopsNobody(Form form) throws Exception {
        Asker hanging = new Asker(form, joining());
        Instance impatient = new Instance(
                redis,
                Instance.options()
                        .joinMode(JoinMode.IN_FLIGHT)
                        .maxWait(Duration.ofSeconds(1))
                        .build());
        instances.add(impatient);
        Asker second = new Asker(form, impatient);
        Future<Map<Object, String>> never = hanging.ask(1, 2, 3);
        hanging.next();
        Future<Map<Object, String>> answer = second.ask(1, 2, 3, 4);
        Bulk rest = second.next();
        assertThat(rest.keys()).contains(4);
        rest.answer("of B");
        if (rest.keys().size() < 4) { // else the second instance asked so late that it need not wait at all
            Bulk last = second.next();
            assertThat(last.keys()).containsExactlyInAnyOrder(1, 2, 3);
            last.answer("of B");
        }
        assertThat(answer.get()).hasSize(4);
        assertThat(never).isNotDone();
    }

    @Test
    void anInterruptedBatchLeavesNothingBehind() throws Exception {
        Asker first = new Asker(Form.BLOCKING, joining());
        Asker second = new Asker(Form.BLOCKING, joining());
        Future<Map<Object, String>> ofFirst = first.ask(1);
        Bulk held = first.next();
        Future<Map<Object, String>> ofSecond = second.ask(1);
        awaitWaiter(1);
        ofSecond.cancel(true);
        awaitWaiters(1, 0);
        Future<Map<Object, String>> leading = second.ask(2);
        second.next();
        leading.cancel(true); // in the middle of its call
        await().untilAsserted(() ->
                assertThat(redis.commands().hget(nameOf(2), "leases")).isEmpty());
        held.answer("of A");
        ofFirst.get();
    }

    @Test
    void aCancelledFutureLeavesNothingBehind() throws Exception {
        Asker first = new Asker(Form.STAGE, joining());
        Asker second = new Asker(Form.STAGE, joining());
        Future<Map<Object, String>> ofFirst = first.ask(1);
        Bulk held = first.next();
        CompletableFuture<Map<Object, String>> cancelled =
                second.function.apply(List.of(1, 2)).toCompletableFuture();
        Bulk own = second.next();
        awaitWaiter(1);
        cancelled.cancel(true);
        awaitWaiters(1, 0);
        await().untilAsserted(() ->
                assertThat(redis.commands().hget(nameOf(2), "leases")).isEmpty());
        assertThat(own.end()).isCancelled();
        held.answer("of A");
        ofFirst.get();
    }
}
