package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.OtherInstances;
import io.github.collapseexecutor.http.OtherInstances.Answer;
import io.github.collapseexecutor.http.OtherInstances.Duty;
import io.github.collapseexecutor.http.OtherInstances.Question;
import io.github.collapseexecutor.http.OtherInstances.Send;
import io.github.collapseexecutor.http.OtherInstances.Take;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What instances say to one another of the responses of a client: who sends, who waits, and what stands in Redis meanwhile. */
class HttpInstancesTests extends SharingFixture {

    private static final String KEY = "GET /path-of-ada with token-of-ada";
    private static final byte[] RESPONSE = Instance.bytes("the response that is only for Ada");

    /** A second call of an instance waits for as good as ever, so that a test says who waits. */
    private OtherInstances client(String name) {
        return instance(Instance.options().maxWaitRatio(0.9999)).calls().http(name);
    }

    private static Answer answer(CompletableFuture<Answer> answer) throws Exception {
        return answer.get(20, TimeUnit.SECONDS);
    }

    private static Duty duty(Question question) throws Exception {
        Duty duty = ((Send) answer(question.answer())).duty();
        assertThat(duty).isNotNull();
        return duty;
    }

    private static void awaitRegistered(int count) {
        await().until(() -> fields().filter(field -> field.matches("w.{16}")).count() == count);
    }

    private static Stream<String> fields() {
        return redis.names().stream().flatMap(hash -> redis.commands().hkeys(hash).stream());
    }

    /** Two calls are under way, and two questions wait for a third, of which one is told to make it. */
    private final class FourInstances {

        final Duty first;
        final Duty second;
        final Question third;
        final Question fourth;
        private Question waiting;

        FourInstances() throws Exception {
            first = duty(client("users").ask(KEY));
            long begun = System.nanoTime();
            await().until(() -> System.nanoTime() - begun > TimeUnit.MILLISECONDS.toNanos(20));
            second = duty(client("users").ask(KEY));
            third = client("users").ask(KEY);
            awaitRegistered(1);
            fourth = client("users").ask(KEY);
            awaitRegistered(2);
        }

        /** Ends the calls that came before the questions, so that one of these leads. */
        Duty leads() throws Exception {
            first.end();
            second.end();
            Object decided =
                    CompletableFuture.anyOf(third.answer(), fourth.answer()).get(20, TimeUnit.SECONDS);
            waiting = third.answer().isDone() ? fourth : third;
            Duty duty = ((Send) decided).duty();
            assertThat(duty).isNotNull();
            assertThat(duty.isAwaited()).isTrue();
            return duty;
        }

        /** What the other one is told; it may have been told already. */
        Answer follows() throws Exception {
            return answer(waiting.answer());
        }
    }

    @Test
    void aResponseReachesTheInstanceThatWaits() throws Exception {
        FourInstances four = new FourInstances();
        Duty leads = four.leads();
        assertThat(four.third.answer().isDone() && four.fourth.answer().isDone())
                .isFalse();
        leads.share(RESPONSE);
        assertThat(four.follows())
                .isInstanceOf(Take.class)
                .extracting("response")
                .isEqualTo(RESPONSE);
    }

    @Test
    void H33_nothingOfKeyClientOrResponseStandsInRedis() throws Exception {
        FourInstances four = new FourInstances();
        four.leads().share(RESPONSE);
        four.follows();
        assertThat(fields()).contains("value");
        for (String hash : redis.names()) {
            String dump = new String(redis.commands().dump(hash), StandardCharsets.ISO_8859_1);
            assertThat(hash + dump + redis.commands().hgetall(hash))
                    .doesNotContain("ada", "Ada", "GET", "users", "only for");
        }
    }

    @Test
    void H27_aResponseThatIsTooLargeIsNotStoredAndTheOthersSend() throws Exception {
        FourInstances four = new FourInstances();
        Duty leads = four.leads();
        leads.share(new byte[leads.limit() + 1]);
        assertThat(((Send) four.follows()).duty()).isNull();
        assertThat(fields()).doesNotContain("value").contains("pass");
    }

    @Test
    void aRefusalAndAFailureLetTheOthersSend() throws Exception {
        FourInstances four = new FourInstances();
        four.leads().fail();
        assertThat(((Send) four.follows()).duty()).isNull();
        redis.commands().flushall();
        FourInstances again = new FourInstances();
        again.leads().refuse();
        assertThat(((Send) again.follows()).duty()).isNull();
    }

    @Test
    void H23_aDutyThatIsGivenUpGoesToAnother() throws Exception {
        FourInstances four = new FourInstances();
        four.leads().giveUp();
        assertThat(((Send) four.follows()).duty()).isNotNull();
    }

    @Test
    void aCallThatIsUnderWayAnswersNoLaterRequestWhateverTheJoinModeIs() throws Exception {
        OtherInstances joining = instance(Instance.options().joinMode(JoinMode.IN_FLIGHT))
                .calls()
                .http("users");
        Duty first = duty(joining.ask(KEY));
        assertThat(first.isAwaited()).isFalse();
        Question later = joining.ask(KEY);
        assertThat(((Send) answer(later.answer())).duty()).isNotNull(); // the second call starts at once
        first.share(RESPONSE);
    }

    @Test
    void H35_clientsOfOtherNamesHaveOtherKeys() throws Exception {
        Duty users = duty(client("users").ask(KEY));
        Duty orders = duty(client("orders").ask(KEY));
        assertThat(redis.names()).hasSize(2);
        users.end();
        orders.end();
    }
}
