package io.github.collapseexecutor.http.feign;

import static org.assertj.core.api.Assertions.assertThat;

import feign.Client;
import feign.Feign;
import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.Warnings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Clients with credentials of their own never get each other's answers. */
@OnEachJdk
class SeveralFeignClientsTests extends FeignClientFixture {

    private static final int ROUNDS = 100;
    private static final int CALLERS = 8;

    /** What a client with credentials of its own does below the adapter. */
    private static Client of(String user) {
        return (request, options) -> {
            Map<String, Collection<String>> headers = new TreeMap<>(request.headers());
            headers.put("Cookie", List.of("user=" + user));
            return FeignClients.PLAIN.execute(request(request.url(), headers), options);
        };
    }

    private void assertNeverAnothersAnswer(Users one, Users two) throws Exception {
        origin.forgetRequests();
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("Cookie"))));
        CyclicBarrier round = new CyclicBarrier(CALLERS);
        List<Caller<List<String>>> repeating = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            Users users = i % 2 == 0 ? one : two;
            String expected = i % 2 == 0 ? "user=one" : "user=two";
            repeating.add(callers.start(() -> {
                List<String> wrong = new ArrayList<>();
                for (int n = 0; n < ROUNDS; n++) {
                    round.await(30, TimeUnit.SECONDS);
                    String answer = users.find(n);
                    if (!answer.equals(expected)) {
                        wrong.add(answer);
                    }
                }
                return wrong;
            }));
        }
        for (Caller<List<String>> caller : repeating) {
            assertThat(caller.get()).isEmpty();
        }
    }

    @Test
    void H35_clientsWithAnAdapterEachNeverGetEachOthersAnswers() throws Exception {
        assertNeverAnothersAnswer(users(collapsing(of("one"))), users(collapsing(of("two"))));
    }

    @Test
    void H35_clientsOfOneCapabilityNeverGetEachOthersAnswers() throws Exception {
        CollapseFeignCapability collapsing =
                new CollapseFeignCapability(everything().build(), IN_FLIGHT);
        assertNeverAnothersAnswer(
                Feign.builder().client(of("one")).addCapability(collapsing).target(Users.class, address()),
                Feign.builder().client(of("two")).addCapability(collapsing).target(Users.class, address()));
    }

    /** A load balancer sends a request of its own, to which an application may have it add what belongs to a caller. */
    @Test
    void H36_aRequestToWhichTheClientBehindAddsAUserIsNotShared() throws Exception {
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("X-User"))));
        ThreadLocal<String> user = new ThreadLocal<>();
        Users users = users(collapsing((request, options) -> {
            Map<String, Collection<String>> headers = new TreeMap<>(request.headers());
            headers.put("X-User", List.of(user.get()));
            return FeignClients.PLAIN.execute(request(request.url(), headers), options);
        }));
        try (Warnings warnings = new Warnings()) {
            List<Callable<String>> calls = new ArrayList<>();
            for (String name : List.of("one", "two", "three")) {
                calls.add(() -> {
                    user.set(name);
                    return users.find(7);
                });
            }
            assertThat(together(calls)).containsExactly("one", "two", "three");
            assertThat(warnings.messages()).singleElement().asString().contains("x-user");
        }
        assertThat(origin.requests()).hasSize(3);
    }

    @Test
    void H36_aRequestThatTheClientBehindSendsToAnotherPathIsNotShared() throws Exception {
        origin.answer(request -> OriginReply.ok(request.target()));
        AtomicInteger number = new AtomicInteger();
        Users users = users(collapsing((request, options) -> FeignClients.PLAIN.execute(
                request(request.url() + "/" + number.incrementAndGet(), request.headers()), options)));
        assertThat(together(List.of(() -> users.find(7), () -> users.find(7))))
                .containsExactlyInAnyOrder("/user/7/1", "/user/7/2");
    }

    @Test
    void callsThatALoadBalancerSendsToAnInstanceAreShared() throws Exception {
        Users users = Feign.builder()
                .client(collapsing((request, options) -> FeignClients.PLAIN.execute(
                        request(request.url().replace("http://users", address()), request.headers()), options)))
                .target(Users.class, "http://users");
        assertThat(together(List.of(() -> users.find(7), () -> users.find(7)))).containsOnly("/user/7");
        assertThat(origin.requests()).hasSize(1);
    }

    /** They share nothing, and nothing else would tell. */
    @Test
    void anApplicationThatBuildsAClientForEachRequestIsToldOnce() {
        CollapseFeignCapability collapsing =
                new CollapseFeignCapability(everything().build());
        try (Warnings warnings = new Warnings(CollapseFeignCapability.class)) {
            for (int i = 0; i < 2500; i++) {
                Feign.builder().addCapability(collapsing).target(Users.class, address());
                assertThat(warnings.messages()).hasSize(i < 999 ? 0 : 1);
            }
            assertThat(warnings.messages()).singleElement().asString().contains("added to 1000 Feign clients");
        }
    }

    @Test
    void aCapabilityCollapsesEachClientByItself() throws Exception {
        CollapseFeignCapability collapsing =
                new CollapseFeignCapability(everything().build(), IN_FLIGHT);
        Users one = Feign.builder().addCapability(collapsing).target(Users.class, address());
        Users other = Feign.builder().addCapability(collapsing).target(Users.class, address());
        assertThat(together(List.of(() -> one.find(7), () -> one.find(7)))).containsOnly("/user/7");
        assertThat(origin.requests()).hasSize(1);
        apart(List.of(() -> one.find(7), () -> other.find(7)));
    }
}
