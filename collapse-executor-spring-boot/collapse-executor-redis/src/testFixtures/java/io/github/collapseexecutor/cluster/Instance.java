package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.BatchCall;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** An instance of an application in a test's own process: it shares nothing with another one but Redis. */
final class Instance implements AutoCloseable {

    static final ResultCodec<String> TEXT =
            ResultCodec.of(Instance::bytes, bytes -> new String(bytes, StandardCharsets.UTF_8));

    private static final byte[] SECRET = "a secret of the tests".getBytes(StandardCharsets.UTF_8);

    private final LettuceConnectionFactory factory;
    private final ClusterCalls calls;

    Instance(ClusterRedis redis) {
        this(redis, options().build());
    }

    Instance(ClusterRedis redis, ClusterOptions options) {
        factory = redis.connectionFactory();
        calls = new ClusterCalls(factory, options);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The form in which instances with these options store results. */
    static Envelope envelope() {
        ClusterOptions options = options().build();
        return new Envelope(options.secrets(), options.prefix(), options.version());
    }

    /** Patient: what a test proves must not depend on how busy the machine is. */
    static ClusterOptions.Builder options() {
        return ClusterOptions.builder(SECRET).maxDelay(Duration.ofSeconds(10));
    }

    ClusterCalls calls() {
        return calls;
    }

    BatchCall<String> shared(String key, Callable<String> call) {
        return calls.shared(key, call, TEXT);
    }

    @Override
    public void close() {
        calls.close();
        factory.destroy();
    }
}
