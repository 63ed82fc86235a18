package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import io.github.collapseexecutor.http.fixture.TestClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Responses that instances share through a real Redis, by the adapters of every client, from an origin of real sockets. */
class SharedResponsesTests extends SharingFixture {

    private static final String TOKEN = "Bearer-of-Ada-4711";
    private static final String BODY = "the body of Ada 0815";

    /** A second call of an instance waits for as good as ever, so that a test says who waits. */
    private static final double PATIENT = 0.9999;

    private ScriptedOrigin origin;

    @BeforeEach
    void open() throws IOException {
        origin = ScriptedOrigin.start();
    }

    @AfterEach
    void closeOrigin() throws IOException {
        origin.close();
    }

    private Instance patient() {
        return instance(Instance.options().maxWaitRatio(PATIENT));
    }

    private static HttpCollapseOptions.Builder http(CollapsePolicy policy, Instance instance) {
        return HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(policy, "/**")))
                .otherInstances(instance.calls().http("the client"));
    }

    private static TestClient client(SharingClient kind, CollapsePolicy policy, Instance instance) {
        return kind.with(http(policy, instance).build(), CollapseOptions.defaults());
    }

    private List<TestClient> clients(SharingClient kind, CollapsePolicy policy, int count) {
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(client(kind, policy, patient()));
        }
        return clients;
    }

    private static List<String> fieldsInRedis() {
        return redis.names().stream()
                .flatMap(hash -> redis.commands().hkeys(hash).stream())
                .toList();
    }

    private static void awaitHttpWaiters(int count) {
        await().until(() -> fieldsInRedis().stream()
                        .filter(field -> field.matches("w.{16}"))
                        .count()
                == count);
    }

    /**
     * Two instances send, because the second call starts at once. Two more wait for them, and when both have ended, one of these sends for
     * the other.
     */
    private List<Response> twoThatWait(SharingClient kind, CollapsePolicy policy, Request one, Request other)
            throws Exception {
        List<TestClient> clients = clients(kind, policy, 4);
        Hold hold = origin.hold();
        Future<Response> first = threads.submit(() -> clients.get(0).call(one));
        hold.await(1);
        long begun = System.nanoTime();
        await().until(() ->
                System.nanoTime() - begun > TimeUnit.MILLISECONDS.toNanos(20)); // of which the next wait is a multiple
        Future<Response> second = threads.submit(() -> clients.get(1).call(one));
        hold.await(1);
        Future<Response> third = threads.submit(() -> clients.get(2).call(one));
        awaitHttpWaiters(1);
        Future<Response> fourth = threads.submit(() -> clients.get(3).call(other));
        awaitHttpWaiters(2);
        origin.holdNoMore();
        hold.release();
        first.get(30, TimeUnit.SECONDS);
        second.get(30, TimeUnit.SECONDS);
        return List.of(third.get(30, TimeUnit.SECONDS), fourth.get(30, TimeUnit.SECONDS));
    }

    private long taken() {
        return instances.stream()
                .mapToLong(instance -> instance.calls().counts().taken())
                .sum();
    }

    @ParameterizedTest
    @EnumSource(SharingClient.class)
    void oneInstanceSendsAndTheOtherGetsTheSameResponse(SharingClient kind) throws Exception {
        origin.answer(request -> OriginReply.ok(BODY)
                .with("ETag", "\"7\"")
                .with("Content-Type", "text/plain")
                .with("X-Odd", "a")
                .with("X-Odd", "b")
                .with("Vary", "Accept"));
        Request request =
                Request.get(origin.uri("/a")).with("Authorization", TOKEN).with("Accept", "text/plain");
        List<Response> responses = twoThatWait(kind, CollapsePolicy.strict(), request, request);
        assertThat(responses.get(0).body()).isEqualTo(BODY);
        assertThat(responses.get(1)).isEqualTo(responses.get(0));
        assertThat(responses.get(1).header("X-Odd"))
                .containsExactlyInAnyOrder("a", "b"); // Feign's own client turns them round
        assertThat(origin.requests()).hasSize(3);
        assertThat(taken()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(SharingClient.class)
    void entriesInRedisShowNothing(SharingClient kind) throws Exception {
        origin.answer(request -> OriginReply.ok(BODY).with("X-Secret", "whisper-1234"));
        Request request = Request.get(origin.uri("/path-of-ada")).with("Authorization", TOKEN);
        twoThatWait(kind, CollapsePolicy.strict(), request, request);
        assertThat(fieldsInRedis()).contains("value");
        for (String hash : redis.names()) {
            String all = hash + redis.commands().hgetall(hash);
            assertThat(all).doesNotContain(TOKEN, "Bearer", BODY, "the body", "whisper", "path-of-ada", "the client");
        }
    }

    /** Only one instance is sick, or over its limit: the origin is well, and answers the others. */
    @ParameterizedTest
    @CsvSource({
        "REST_TEMPLATE, 503",
        "REST_TEMPLATE, 429",
        "JDK_CLIENT, 503",
        "WEB_CLIENT_CONNECTOR, 429",
        "WEB_CLIENT_FILTER, 503"
    })
    void H19_aStatusOfFailureReachesNoOtherInstance(SharingClient kind, int status) throws Exception {
        AtomicInteger count = new AtomicInteger();
        origin.answer(request -> count.incrementAndGet() == 3
                ? OriginReply.status(status, "Sick", "").with("Retry-After", "1")
                : OriginReply.ok(BODY));
        Request request = Request.get(origin.uri("/a"));
        List<Response> responses = twoThatWait(kind, CollapsePolicy.strict(), request, request);
        assertThat(responses).extracting(Response::status).containsExactlyInAnyOrder(status, 200);
        assertThat(origin.requests()).hasSize(4);
        assertThat(taken()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "REST_TEMPLATE, Cache-Control, no-store",
        "REST_TEMPLATE, Cache-Control, private",
        "REST_TEMPLATE, Cache-Control, no-cache",
        "REST_TEMPLATE, Set-Cookie, a=b",
        "REST_TEMPLATE, Vary, *",
        "REST_TEMPLATE, Content-Type, text/event-stream",
        "JDK_CLIENT, Cache-Control, private",
        "JDK_CLIENT, Set-Cookie, a=b",
        "OK_HTTP, Set-Cookie, a=b",
        "WEB_CLIENT_CONNECTOR, Set-Cookie, a=b",
        "WEB_CLIENT_FILTER, Set-Cookie, a=b",
        "APACHE_CLIENT, Set-Cookie, a=b",
        "FEIGN, Set-Cookie, a=b",
    })
    void aValueThatMayNotBeSharedDoesNotLeaveTheInstance(SharingClient kind, String name, String value)
            throws Exception {
        AtomicInteger count = new AtomicInteger();
        origin.answer(
                request -> OriginReply.ok("answer " + count.incrementAndGet()).with(name, value));
        Request request = Request.get(origin.uri("/a"));
        List<Response> responses = twoThatWait(kind, CollapsePolicy.strict(), request, request);
        assertThat(responses.get(0).body()).isNotEqualTo(responses.get(1).body());
        assertThat(origin.requests()).hasSize(4);
        assertThat(fieldsInRedis()).doesNotContain("value");
        assertThat(taken()).isZero();
    }

    @ParameterizedTest
    @EnumSource(SharingClient.class)
    void H14_aResponseThatWasChosenByAHeaderInWhichTheRequestsDifferIsNotTaken(SharingClient kind) throws Exception {
        origin.answer(request ->
                OriginReply.ok("in " + request.header("Accept-Language")).with("Vary", "Accept-Language"));
        Request german = Request.get(origin.uri("/a")).with("Accept-Language", "de");
        Request french = Request.get(origin.uri("/a")).with("Accept-Language", "fr");
        List<Response> responses = twoThatWait(kind, CollapsePolicy.pathOnly(), german, french);
        assertThat(responses).extracting(Response::body).containsExactly("in de", "in fr");
        assertThat(origin.requests()).hasSize(4);
    }

    @ParameterizedTest
    @EnumSource(SharingClient.class)
    void theFailureOfAnInstanceIsItsOwn(SharingClient kind) throws Exception {
        AtomicInteger count = new AtomicInteger();
        origin.answer(request ->
                count.incrementAndGet() == 3 ? OriginReply.status(500, "Oops", "broken") : OriginReply.ok("answer"));
        Request request = Request.get(origin.uri("/a"));
        List<Response> responses = twoThatWait(kind, CollapsePolicy.strict(), request, request);
        assertThat(responses).extracting(Response::status).containsExactlyInAnyOrder(500, 200);
        assertThat(origin.requests()).hasSize(4);
    }

    @Test
    void aResponseThatIsTooLargeForRedisIsNotShared() throws Exception {
        origin.answer(request -> OriginReply.ok("x".repeat(2000)));
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            clients.add(client(
                    SharingClient.REST_TEMPLATE,
                    CollapsePolicy.strict(),
                    instance(Instance.options().maxResultSize(2000))));
        }
        for (TestClient client : clients) {
            assertThat(client.call(Request.get(origin.uri("/a"))).body()).hasSize(2000);
        }
        assertThat(fieldsInRedis()).doesNotContain("value");
    }

    @ParameterizedTest
    @EnumSource(SharingClient.class)
    void twoInstancesOfAHundredCallersEachSendAFewRequests(SharingClient kind) throws Exception {
        CountDownLatch all = new CountDownLatch(1);
        origin.answer(request -> {
            sleep(50);
            return OriginReply.ok(BODY);
        });
        List<TestClient> clients = List.of(
                client(kind, CollapsePolicy.strict(), patient()), client(kind, CollapsePolicy.strict(), patient()));
        List<Future<Response>> answers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            TestClient client = clients.get(i % 2);
            answers.add(threads.submit(() -> {
                all.await();
                return client.call(Request.get(origin.uri("/a")));
            }));
        }
        all.countDown();
        for (Future<Response> answer : answers) {
            assertThat(answer.get(60, TimeUnit.SECONDS).body()).isEqualTo(BODY);
        }
        assertThat(origin.requests()).hasSizeLessThan(60);
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void clientsOfOtherNamesShareNothing() throws Exception {
        Instance instance = instance();
        Instance other = instance();
        Hold hold = origin.hold();
        CollapseRule rule = CollapseRule.of(CollapsePolicy.strict(), "/**");
        List<Future<Response>> answers = new ArrayList<>();
        for (Instance each : List.of(instance, other)) {
            TestClient client = SharingClient.REST_TEMPLATE.with(
                    HttpCollapseOptions.builder()
                            .rules(List.of(rule))
                            .otherInstances(each.calls().http(each == other ? "orders" : "users"))
                            .build(),
                    CollapseOptions.defaults());
            answers.add(threads.submit(() -> client.call(Request.get(origin.uri("/a")))));
            hold.await(1);
        }
        assertThat(redis.names()).hasSize(2);
        hold.release();
        for (Future<Response> answer : answers) {
            assertThat(answer.get(30, TimeUnit.SECONDS).status()).isEqualTo(200);
        }
    }

    @Test
    void aDeadlineEndsTheWaitForAnotherInstance() throws Exception {
        Hold hold = origin.hold();
        long begun = System.nanoTime();
        List<TestClient> clients = clients(SharingClient.REST_TEMPLATE, CollapsePolicy.strict(), 2);
        clients.add(SharingClient.REST_TEMPLATE.with(
                http(CollapsePolicy.strict(), patient())
                        .followerTimeout(Duration.ofMillis(100))
                        .build(),
                CollapseOptions.defaults()));
        List<Future<Response>> answers = new ArrayList<>();
        for (TestClient client : clients) {
            answers.add(threads.submit(() -> client.call(Request.get(origin.uri("/a")))));
            hold.await(1); // the third would wait for 20 seconds, but for its deadline
            sleep(20);
        }
        assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(15));
        hold.release();
        for (Future<Response> answer : answers) {
            assertThat(answer.get(30, TimeUnit.SECONDS).status()).isEqualTo(200);
        }
    }

    @Test
    void anInterruptedRequestLeavesAndAnotherInstanceIsNotHeldUp() throws Exception {
        Hold hold = origin.hold();
        List<TestClient> clients = clients(SharingClient.REST_TEMPLATE, CollapsePolicy.strict(), 3);
        List<Future<Response>> answers = new ArrayList<>();
        for (TestClient client : clients.subList(0, 2)) {
            answers.add(threads.submit(() -> client.call(Request.get(origin.uri("/a")))));
            hold.await(1);
            sleep(20);
        }
        Future<Response> third = threads.submit(() -> clients.get(2).call(Request.get(origin.uri("/a"))));
        awaitHttpWaiters(1);
        third.cancel(true);
        awaitHttpWaiters(0);
        hold.release();
        for (Future<Response> answer : answers) {
            assertThat(answer.get(30, TimeUnit.SECONDS).status()).isEqualTo(200);
        }
        assertThat(origin.requests()).hasSize(2);
    }
}
