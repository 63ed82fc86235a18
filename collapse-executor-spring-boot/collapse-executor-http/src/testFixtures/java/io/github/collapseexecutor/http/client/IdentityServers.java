package io.github.collapseexecutor.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.OriginRequest;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import io.github.collapseexecutor.http.fixture.TestForm;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** An origin that answers with the name of the user that asks, and for each user a proxy that answers with the user's name. */
public final class IdentityServers implements AutoCloseable {

    public static final String ONE = "one";
    public static final String TWO = "two";

    /** Each is a chance for a wrong answer; profile {@code proofs} makes many. */
    private static final int ROUNDS = TestForm.isLong() ? 500 : 20;

    private static final int CALLERS_OF_EACH = 4;

    // immutable
    private final ScriptedOrigin origin = ScriptedOrigin.start();
    private final ScriptedOrigin proxyOfOne = ScriptedOrigin.start();
    private final ScriptedOrigin proxyOfTwo = ScriptedOrigin.start();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "caller");
        thread.setDaemon(true);
        return thread;
    });

    // mutable, thread-safe
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger rounds = new AtomicInteger();

    public IdentityServers() throws IOException {
        origin.forgetRequests();
        origin.answer(this::answer);
        proxyOfOne.answer(request -> answered(ONE));
        proxyOfTwo.answer(request -> answered(TWO));
    }

    public static Function<URI, String> calls(RestTemplate template) {
        return uri -> String.valueOf(template.getForObject(uri, String.class));
    }

    public static Function<URI, String> calls(RestClient client) {
        return uri -> String.valueOf(client.get().uri(uri).retrieve().body(String.class));
    }

    InetSocketAddress proxyOf(String user) {
        URI uri = (user.equals(ONE) ? proxyOfOne : proxyOfTwo).uri("/");
        return new InetSocketAddress(uri.getHost(), uri.getPort());
    }

    private OriginReply answer(OriginRequest request) {
        String authorization = request.header("Authorization");
        String cookie = request.header("Cookie");
        String user = request.header("X-User");
        if (authorization != null) {
            byte[] pair = Base64.getDecoder().decode(authorization.substring("Basic ".length()));
            String name = new String(pair, StandardCharsets.UTF_8);
            return answered(name.substring(0, name.indexOf(':')));
        }
        if (request.target().startsWith("/user/challenged")) {
            return OriginReply.status(401, "Unauthorized", "").with("WWW-Authenticate", "Basic realm=\"test\"");
        }
        return answered(cookie != null ? cookie.substring("user=".length()) : user != null ? user : "nobody");
    }

    private OriginReply answered(String user) {
        answered.incrementAndGet();
        return OriginReply.ok(user);
    }

    /**
     * Has callers of both clients ask for the same thing at once, many times: each gets what its client is entitled to, and
     * the callers of one client still share calls.
     */
    public void assertApart(ClientIdentity identity, Function<URI, String> one, Function<URI, String> two)
            throws Exception {
        answered.set(0);
        int wrong = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String kind = identity.challenged() ? "challenged-" : "";
            URI uri = origin.uri("/user/" + kind + rounds.incrementAndGet());
            CyclicBarrier barrier = new CyclicBarrier(2 * CALLERS_OF_EACH);
            List<Future<String>> ones = new ArrayList<>();
            List<Future<String>> twos = new ArrayList<>();
            for (int i = 0; i < CALLERS_OF_EACH; i++) {
                ones.add(threads.submit(() -> call(barrier, one, uri)));
                twos.add(threads.submit(() -> call(barrier, two, uri)));
            }
            wrong += countOthers(ones, ONE) + countOthers(twos, TWO);
        }
        assertThat(wrong).as("wrong answers with " + identity).isZero();
        assertThat(answered.get()).as("calls with " + identity).isBetween(2 * ROUNDS, 2 * CALLERS_OF_EACH * ROUNDS - 1);
    }

    private static String call(CyclicBarrier barrier, Function<URI, String> client, URI uri) throws Exception {
        barrier.await(30, TimeUnit.SECONDS);
        return client.apply(uri);
    }

    private static int countOthers(List<Future<String>> answers, String expected) throws Exception {
        int wrong = 0;
        for (Future<String> answer : answers) {
            wrong += answer.get(30, TimeUnit.SECONDS).equals(expected) ? 0 : 1;
        }
        return wrong;
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        origin.close();
        proxyOfOne.close();
        proxyOfTwo.close();
    }
}
