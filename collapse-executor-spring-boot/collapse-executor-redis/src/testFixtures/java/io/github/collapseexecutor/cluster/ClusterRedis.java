package io.github.collapseexecutor.cluster;

import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.embedded.RedisServer;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.core.RedisServerBuilder;

/**
 * A Redis of a test's own, which it may kill, pause and fill. {@code -Dcluster.redis=/usr/bin/valkey-server} names another server than the one that
 * Maven brings.
 */
public final class ClusterRedis implements AutoCloseable {

    /** The one that Maven brings, or another Redis, or a Valkey. */
    public static final ExecutableProvider EXECUTABLE = System.getProperty("cluster.redis") == null
            ? ExecutableProvider.newJarResourceProvider()
            : ExecutableProvider.newSystemPropertyProvider("cluster.redis");

    private final int port = freePort();
    private final String[] settings;
    private RedisServer server;
    private long pid;
    private RedisClient client;
    private RedisCommands<String, String> commands;

    /** Takes lines of the configuration of Redis. */
    public ClusterRedis(String... settings) throws IOException {
        this.settings = settings;
        start();
    }

    private static int freePort() throws IOException {
        while (true) {
            try (ServerSocket socket = new ServerSocket(0)) {
                if (socket.getLocalPort() <= 55_535) { // a node of a cluster uses the port 10000 above as well
                    return socket.getLocalPort();
                }
            }
        }
    }

    public void start() throws IOException {
        RedisServerBuilder builder =
                RedisServer.newRedisServer().port(port).setting("save \"\"").executableProvider(EXECUTABLE);
        for (String setting : settings) {
            builder.setting(setting);
        }
        server = builder.build();
        server.start();
        if (client == null) {
            client = RedisClient.create(RedisURI.builder()
                    .withHost("localhost")
                    .withPort(port)
                    .withTimeout(Duration.ofSeconds(20))
                    .build());
            commands = client.connect().sync();
        }
        pid = readPid();
    }

    public int port() {
        return port;
    }

    public RedisCommands<String, String> commands() {
        return commands;
    }

    /** Returns the names of all that stands there; {@code KEYS} has another signature in each generation of Lettuce. */
    public List<String> names() {
        return commands.scan(ScanArgs.Builder.limit(100_000)).getKeys();
    }

    /** Sets a field of a hash to bytes that are no text. */
    void setField(String name, String field, byte[] value) {
        try (StatefulRedisConnection<byte[], byte[]> raw = client.connect(ByteArrayCodec.INSTANCE)) {
            raw.sync().hset(name.getBytes(StandardCharsets.UTF_8), field.getBytes(StandardCharsets.UTF_8), value);
        }
    }

    /** Returns the bytes of a field of a hash. */
    byte[] field(String name, String field) {
        try (StatefulRedisConnection<byte[], byte[]> raw = client.connect(ByteArrayCodec.INSTANCE)) {
            return raw.sync().hget(name.getBytes(StandardCharsets.UTF_8), field.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Sends a signal of the operating system to the server. */
    public void signal(String signal) throws IOException, InterruptedException {
        send(signal, pid);
    }

    static void send(String signal, long pid) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                .inheritIO()
                .start();
        if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new IOException("kill -" + signal + " " + pid + " failed");
        }
    }

    /** Lets a server go on that was stopped. */
    public void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** Closes the connections of the instances. */
    public void disconnectOthers() {
        commands.clientKill(KillArgs.Builder.typeNormal().skipme());
        commands.clientKill(KillArgs.Builder.typePubsub());
    }

    /** Kills the server without warning. */
    public void kill() throws IOException, InterruptedException {
        signal("KILL");
        server.stop();
    }

    private long readPid() {
        return Long.parseLong(commands.info("server")
                .lines()
                .filter(line -> line.startsWith("process_id:"))
                .findFirst()
                .orElseThrow()
                .substring("process_id:".length())
                .trim());
    }

    /** As an application would configure it. */
    LettuceConnectionFactory connectionFactory() {
        return connectionFactory(port);
    }

    static LettuceConnectionFactory connectionFactory(int port) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("localhost", port),
                LettuceClientConfiguration.builder()
                        .shutdownTimeout(Duration.ZERO)
                        .build());
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    @Override
    public void close() throws IOException {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
        server.stop();
    }
}
