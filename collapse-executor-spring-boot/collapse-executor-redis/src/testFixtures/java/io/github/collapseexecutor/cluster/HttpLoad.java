package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.OriginRequest;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import io.github.collapseexecutor.http.fixture.TestClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Users of some instances who ask an origin for what is theirs, again and again, and check every answer: it is for them, in their language,
 * with their cookie, no older than the question, and the only one of its kind where the origin says so.
 */
final class HttpLoad implements AutoCloseable {

    /** More than the instances of such a load may store. */
    static final int LARGE = 3000;

    /**
     * By the default, so few callers hardly ever wait for one another: the second call starts at once, and the gaps after it are a tenth of
     * the age of the oldest call. A test that waits for shared responses would wait for chance.
     */
    static final double RATIO = 0.9;

    /** What must not be seen in Redis. */
    static final List<String> SECRETS = List.of("token-of", "answer for", "owner=", "/answers/", "the client");

    private static final List<String> PATHS = List.of("plain", "vary", "private", "cookie", "no-store", "large");
    /** For so long everybody asks for the same, or there would be little to share. */
    private static final long TOGETHER_NANOS = 20_000_000;

    private static final List<String> LANGUAGES = List.of("de", "fr");
    private static final List<String> USERS = List.of("token-of-ada", "token-of-bob");

    // immutable
    private final ScriptedOrigin origin;
    private final List<Thread> callers = new ArrayList<>();

    // mutable, thread-safe
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicLong version = new AtomicLong();
    private final AtomicLong once = new AtomicLong();
    private final Set<String> seenOnce = ConcurrentHashMap.newKeySet();
    private final LongAdder answers = new LongAdder();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    /** Begins. Each instance has a client of its own, with some callers for each user. */
    HttpLoad(SharingClient kind, List<Instance> instances, int callersEach) throws IOException {
        origin = ScriptedOrigin.start();
        origin.forgetRequests();
        origin.answer(this::reply);
        for (Instance instance : instances) {
            TestClient client = kind.with(
                    HttpCollapseOptions.builder()
                            .rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/answers/*")))
                            .passTtl(Duration.ZERO)
                            .otherInstances(instance.calls().http("the client"))
                            .build(),
                    CollapseOptions.defaults());
            for (String user : USERS) {
                for (int i = 0; i < callersEach; i++) {
                    Random random = new Random(callers.size());
                    callers.add(new Thread(() -> callOn(client, user, random)));
                }
            }
        }
        callers.forEach(Thread::start);
    }

    private OriginReply reply(OriginRequest request) {
        long present = version.get();
        try {
            Thread.sleep(12); // a call that is too short is not shared
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String path = request.target().substring(request.target().lastIndexOf('/') + 1);
        String user = request.header("Authorization");
        String body = "answer for " + user + " at " + present;
        return switch (path) {
            case "vary" ->
                OriginReply.ok(body + " in " + request.header("Accept-Language"))
                        .with("Vary", "Accept-Language");
            case "private" -> OriginReply.ok(body).with("Cache-Control", "private");
            case "cookie" -> OriginReply.ok(body).with("Set-Cookie", "owner=" + user);
            case "no-store" ->
                OriginReply.ok(body + " once " + once.incrementAndGet()).with("Cache-Control", "no-store");
            case "large" -> OriginReply.ok(body + " " + "x".repeat(LARGE));
            default -> OriginReply.ok(body);
        };
    }

    private void callOn(TestClient client, String user, Random random) {
        while (!stopped.get()) {
            String path =
                    PATHS.get((int) (System.nanoTime() / TOGETHER_NANOS % PATHS.size() + PATHS.size()) % PATHS.size());
            String language = LANGUAGES.get(random.nextInt(LANGUAGES.size()));
            Request request = Request.get(origin.uri("/answers/" + path))
                    .with("Authorization", user)
                    .with("Accept-Language", language);
            try {
                if (random.nextInt(10) == 0) {
                    version.incrementAndGet();
                }
                long before = version.get();
                check(path, user, language, before, client.call(request));
                answers.increment();
            } catch (Throwable failure) {
                failures.add(failure);
            }
        }
    }

    private void check(String path, String user, String language, long before, Response response) {
        String body = response.body();
        assertThat(response.status()).isEqualTo(200);
        assertThat(body).startsWith("answer for " + user + " at ");
        long at = Long.parseLong(body.split(" ", -1)[4]);
        assertThat(at).as("version in %s", path).isGreaterThanOrEqualTo(before);
        List<String> cookies = path.equals("cookie") ? List.of("owner=" + user) : List.of();
        assertThat(response.header("Set-Cookie")).isEqualTo(cookies);
        switch (path) {
            case "vary" -> assertThat(body).endsWith(" in " + language);
            case "no-store" -> assertThat(seenOnce.add(body)).as(body).isTrue();
            case "large" -> assertThat(body).hasSizeGreaterThan(LARGE);
            default -> assertThat(body).endsWith(" at " + at);
        }
    }

    int callers() {
        return callers.size();
    }

    long answers() {
        return answers.sum();
    }

    /** The first few, of calls that failed, and of answers that are wrong. */
    List<Throwable> failures() {
        return failures.stream().filter(Objects::nonNull).limit(3).toList();
    }

    /** Stops, and waits for the last answers. */
    void end() throws InterruptedException {
        stopped.set(true);
        for (Thread caller : callers) {
            caller.join();
        }
    }

    @Override
    public void close() throws IOException {
        stopped.set(true);
        origin.close();
    }
}
