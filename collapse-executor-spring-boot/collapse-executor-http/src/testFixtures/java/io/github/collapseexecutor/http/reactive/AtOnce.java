package io.github.collapseexecutor.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import io.github.collapseexecutor.http.fixture.TestForm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** Many callers of several users at the same time, round after round, and an origin that answers each with what it was sent. */
final class AtOnce {

    static final HttpCollapseOptions EVERYTHING = HttpCollapseOptions.builder()
            .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
            .build();

    /** A fifth of those of other suites: an obstacle is there for all callers of all rounds, or for none. */
    private static final int ROUNDS = TestForm.ROUNDS / 5;

    private static final int CALLERS = 50;

    // immutable
    private final ScriptedOrigin origin;
    private final AtomicInteger calls = new AtomicInteger();

    /** An origin whose answer is the value of a header, "nobody" where it is absent. */
    AtOnce(ScriptedOrigin origin, String header) {
        this.origin = origin;
        origin.forgetRequests();
        origin.answer(request -> {
            calls.incrementAndGet();
            String value = request.header(header);
            return OriginReply.ok(value == null ? "nobody" : value);
        });
    }

    /** A GET for a user, who is in the Reactor context. */
    Mono<String> get(WebClient client, String user) {
        return client.get()
                .uri(origin.uri("/a"))
                .retrieve()
                .bodyToMono(String.class)
                .contextWrite(Context.of("user", user));
    }

    /** Every caller subscribes while the origin holds those before, and gets its own user's answer. */
    void everybodyGetsTheirOwn(List<String> users, Function<String, Mono<String>> call) throws Exception {
        List<String> wrong = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            Hold hold = origin.hold();
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                answers.add(call.apply(users.get(i % users.size())).toFuture());
            }
            hold.release();
            for (int i = 0; i < CALLERS; i++) {
                String expected = users.get(i % users.size());
                String answer = answers.get(i).get(30, TimeUnit.SECONDS);
                if (!answer.equals(expected)) {
                    wrong.add("round " + round + ": expected " + expected + ", got " + answer);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** The same, and all callers of one user share one call in each round. */
    void everybodyGetsTheirOwnByOneCallEach(List<String> users, Function<String, Mono<String>> call) throws Exception {
        int before = calls.get();
        everybodyGetsTheirOwn(users, call);
        assertThat(calls.get() - before).isEqualTo(ROUNDS * users.size());
    }

    /** The same, and nothing is shared. */
    void everybodyGetsTheirOwnByACallOfTheirOwn(List<String> users, Function<String, Mono<String>> call)
            throws Exception {
        int before = calls.get();
        everybodyGetsTheirOwn(users, call);
        assertThat(calls.get() - before).isEqualTo(ROUNDS * CALLERS);
    }
}
