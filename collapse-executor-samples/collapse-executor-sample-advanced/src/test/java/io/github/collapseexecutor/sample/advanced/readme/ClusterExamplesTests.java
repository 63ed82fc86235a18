package io.github.collapseexecutor.sample.advanced.readme;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.github.collapseexecutor.cluster.ClusterCalls;
import io.github.collapseexecutor.cluster.ClusterCounts;
import io.github.collapseexecutor.cluster.ClusterOptions;
import io.github.collapseexecutor.cluster.ResultCodec;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.BlockingCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.web.client.RestTemplate;
import redis.embedded.RedisServer;

/** What the documentation shows of sharing through Redis, on a real one. */
class ClusterExamplesTests {

    private static final byte[] SECRET = "a secret of the documentation".getBytes(StandardCharsets.UTF_8);

    private static RedisServer redis;
    private static LettuceConnectionFactory connectionFactory;
    private static int port;

    @BeforeAll
    static void start() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        redis = RedisServer.newRedisServer().port(port).build();
        redis.start();
        connectionFactory = new LettuceConnectionFactory(new RedisStandaloneConfiguration("localhost", port));
        connectionFactory.afterPropertiesSet();
        connectionFactory.start();
    }

    @AfterAll
    static void stop() throws IOException {
        connectionFactory.destroy();
        redis.stop();
    }

    @Test
    void instancesShareCalls() throws Exception {
        ResultCodec<String> codec = codec();
        byte[] secret = SECRET;
        // readme:begin cluster
        ClusterCalls cluster = new ClusterCalls(
                connectionFactory, ClusterOptions.builder(secret).build());
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor();

        String name = executor.execute("user 7", cluster.shared("user 7", () -> fetchName(7), codec));
        // readme:end
        assertThat(name).isEqualTo("user 7");
        FutureCallableGroupCollapseExecutor futureExecutor = new FutureCallableGroupCollapseExecutor();
        // readme:begin cluster-future
        CompletableFuture<String> future =
                futureExecutor.execute("user 7", cluster.sharedStage("user 7", () -> fetchNameAsync(7), codec));
        // readme:end
        assertThat(future.get()).isEqualTo("user 7");
        ClusterCounts counts = cluster.counts();
        assertThat(counts.led() + counts.alone()).isEqualTo(2); // alone, if the first connection takes too long
        cluster.close();
    }

    @Test
    void functionsByKeyShareTheirValues() throws Exception {
        UserClient client = new UserClient();
        ResultCodec<User> codec =
                ResultCodec.of(user -> user.name().getBytes(StandardCharsets.UTF_8), bytes -> new User(7, "Ada"));
        try (ClusterCalls cluster = new ClusterCalls(
                connectionFactory, ClusterOptions.builder(SECRET).build())) {
            // readme:begin cluster-by-key
            BlockingCollapseExecutor<Long, User> users = CollapseExecutors.blockingByKey(
                    cluster.sharedByKey("users", client::fetchAll, codec),
                    MissingKeyPolicy.NULL,
                    CollapseOptions.defaults());
            // readme:end
            assertThat(users.execute(7L)).isEqualTo(new User(7, "user 7"));
        }
    }

    @Test
    void optionsHaveTheirDefaults() {
        byte[] secret = SECRET;
        // readme:begin cluster-options
        ClusterOptions options = ClusterOptions.builder(secret)
                .prefix("shop") // names in Redis begin with it
                .maxDelay(Duration.ofMillis(20)) // what Redis may cost a call
                .maxWaitRatio(0.5) // about two calls in flight in the whole cluster
                .build();
        // readme:end
        assertThat(options.maxDelay()).hasMillis(20);
    }

    @Test
    void httpClientsShareResponses() {
        try (ClusterCalls cluster = new ClusterCalls(
                connectionFactory, ClusterOptions.builder(SECRET).build())) {
            // readme:begin cluster-http
            HttpCollapseOptions http = HttpCollapseOptions.builder()
                    .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/user/*")))
                    .otherInstances(cluster.http("users")) // the name of this client, the same on all instances
                    .build();
            // readme:end
            assertThat(http.otherInstances()).isNotNull();
        }
    }

    @Test
    void executorsByNameShareTheirCalls() throws Exception {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(ClusterExamples.class)
                .web(WebApplicationType.NONE)
                .properties("CLUSTER_SECRET=" + new String(SECRET, StandardCharsets.UTF_8))
                .run("--spring.config.location=classpath:/readme/cluster.yaml", "--spring.data.redis.port=" + port)) {
            BlockingCallableGroupCollapseExecutor users =
                    (BlockingCallableGroupCollapseExecutor) context.getBean("users");
            User user = users.execute(7L, () -> new User(7, "Ada"));
            assertThat(user.name()).isEqualTo("Ada");
            ClusterCounts counts = context.getBean(ClusterCalls.class).counts();
            assertThat(counts.led() + counts.alone()).isEqualTo(1);
            ResultCodec<User> codec = codecOf(context);
            assertThat(codec.decode(codec.encode(user))).isEqualTo(user);
        }
    }

    @Test
    void annotatedMethodsShareTheirCalls() {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(
                        ClusterExamples.class, AnnotationExamples.Prices.class, AnnotationExamples.Forms.class)
                .web(WebApplicationType.NONE)
                .properties("CLUSTER_SECRET=" + new String(SECRET, StandardCharsets.UTF_8))
                .run(
                        "--spring.config.location=classpath:/readme/cluster-annotations.yaml",
                        "--spring.data.redis.port=" + port)) {
            AnnotationExamples.Prices prices = context.getBean(AnnotationExamples.Prices.class);
            assertThat(prices.total(new AnnotationExamples.Order(7))).isEqualTo("the total of 7");
            ClusterCounts counts = context.getBean(ClusterCalls.class).counts();
            assertThat(counts.led() + counts.alone()).isEqualTo(1);
        }
    }

    @Test
    void clientsThatAreBeansShareByTheirNames() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(ClusterClientExamples.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.config.location=classpath:/readme/cluster-clients.yaml",
                        "--spring.application.name=shop",
                        "--spring.data.redis.port=" + port,
                        "--collapse.executor.cluster.secret=" + new String(SECRET, StandardCharsets.UTF_8))) {
            for (String name : List.of("users", "prices", "orders")) {
                for (String path : List.of("/user/7", "/live/7")) {
                    context.getBean(name, RestTemplate.class)
                            .getForObject(
                                    "http://localhost:" + server.getAddress().getPort() + path, String.class);
                }
            }
            ClusterCounts counts = context.getBean(ClusterCalls.class).counts();
            assertThat(counts.led() + counts.alone()).isEqualTo(3); // /live is not asked for
        } finally {
            server.stop(0);
        }
    }

    @SuppressWarnings("unchecked")
    private static ResultCodec<User> codecOf(ConfigurableApplicationContext context) {
        return (ResultCodec<User>) context.getBean("userCodec");
    }

    private static ResultCodec<String> codec() {
        // readme:begin cluster-codec
        ResultCodec<String> codec = ResultCodec.of(
                name -> name.getBytes(StandardCharsets.UTF_8), bytes -> new String(bytes, StandardCharsets.UTF_8));
        // readme:end
        return codec;
    }

    private static String fetchName(long id) {
        return "user " + id;
    }

    private static CompletableFuture<String> fetchNameAsync(long id) {
        return CompletableFuture.completedFuture(fetchName(id));
    }
}
