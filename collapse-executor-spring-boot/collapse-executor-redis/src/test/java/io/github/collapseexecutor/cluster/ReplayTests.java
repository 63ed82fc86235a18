package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.JoinMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Somebody who can read and write all of Redis, but does not know the secret, cannot have a caller get what was made for another question. */
class ReplayTests extends SharingFixture {

    private static final String OLD = "role=admin";

    /** Tickets begin at 1 again when a hash is lost, so that a ticket is no proof. */
    @ParameterizedTest
    @EnumSource(JoinMode.class)
    void resultOfAnOldQuestionAnswersNoLaterOne(JoinMode mode) throws Exception {
        for (int i = 0; i < 10; i++) {
            ask(instance(eager()), Instance.TEXT).get(); // higher tickets than the later waiter's
        }
        Question old = new Question(mode);
        old.covering.end.complete(OLD);
        assertThat(old.waiter.get()).isEqualTo(OLD);
        byte[] value = redis.field(name(), "value");
        String answer = redis.commands().hget(name(), "answer");
        old.end();
        redis.commands().flushall();

        Question later = new Question(mode);
        redis.commands().hset(name(), "answer", answer.replaceFirst(" \\d+", " " + (micros() + 20_000_000)));
        redis.setField(name(), "value", value);
        redis.commands().publish(name(), "1000");
        assertThat(later.waiter.get()).startsWith("own");
        later.end();
    }

    /** A waiter, and a call that covers it. */
    private final class Question {

        final Held first;
        final Held covering;
        final Future<String> waiter;

        Question(JoinMode mode) throws Exception {
            if (mode == JoinMode.IN_FLIGHT) {
                covering = new Held(joining(), Instance.TEXT);
                first = covering;
                waiter = ask(joining(), Instance.TEXT);
                awaitWaiters(1);
            } else {
                first = new Held(instance(eager()), Instance.TEXT);
                long since = micros();
                await().pollInterval(Duration.ofMillis(5)).until(() -> micros() - since > 50_000);
                Held second = new Held(instance(eager()), Instance.TEXT);
                waiter = ask(instance(Instance.options().maxWaitRatio(0.99)), Instance.TEXT);
                awaitWaiters(1);
                covering = new Held(instance(eager()), Instance.TEXT);
                second.end.complete("without a part in it");
            }
        }

        void end() throws Exception {
            first.end.complete("late");
            covering.end.complete("late");
            first.result.get();
            covering.result.get();
        }
    }

    private static ClusterOptions.Builder eager() {
        return Instance.options().maxWaitRatio(0);
    }

    private static long micros() {
        List<String> time = redis.commands().time();
        return 1_000_000 * Long.parseLong(time.get(0)) + Long.parseLong(time.get(1));
    }
}
