package io.github.collapseexecutor.foreign.redis;

import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.cluster.ClusterRedis;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import redis.embedded.RedisSentinel;

/** Servers of Redis, which an application reaches as a user of its own, and a test as the default user. */
final class Servers implements AutoCloseable {

    static final String MASTER = "watched";
    static final String USER = "application";
    static final String PASSWORD = "a-password";

    /** What the guide says that the user needs. */
    private static final String COMMANDS =
            "+evalsha +eval +time +hget +hmget +hkeys +hset +hdel +hincrby +pexpire +publish"
                    + " +subscribe +unsubscribe";

    /** What drivers send of their own: to find the nodes, and to see that they are there. */
    private static final String OF_DRIVERS = "+ping +cluster +role +info +client +readonly +command";

    private static final int SLOTS = 16384;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    // immutable
    private final Topology topology;
    private final List<ClusterRedis> nodes = new ArrayList<>();
    private final int port;

    // mutable, confined to the test's thread
    private List<RedisSentinel> sentinels = List.of();

    private Servers(Topology topology, int port) {
        this.topology = topology;
        this.port = port;
    }

    static Servers start(Topology topology, Path folder) throws Exception {
        Servers servers = new Servers(topology, freePort());
        switch (topology) {
            case ALONE -> servers.add();
            case TLS -> servers.add(Certificate.settings(folder, servers.port));
            case SENTINEL -> servers.startWatched();
            case CLUSTER -> servers.startCluster(folder);
        }
        return servers;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private ClusterRedis add(String... settings) throws IOException {
        ClusterRedis node = new ClusterRedis(settings);
        nodes.add(node);
        return node;
    }

    private void startWatched() throws IOException {
        ClusterRedis master = add();
        ClusterRedis replica = add("replicaof 127.0.0.1 " + master.port(), "repl-diskless-sync-delay 0");
        await().atMost(PATIENCE)
                .until(() -> replica.commands().info("replication").contains("master_link_status:up"));
        RedisSentinel sentinel = RedisSentinel.newRedisSentinel()
                .executableProvider(ClusterRedis.EXECUTABLE)
                .port(port)
                .masterName(MASTER)
                .masterPort(master.port())
                .quorumSize(1)
                .downAfterMilliseconds(500L)
                .failOverTimeout(5_000L)
                .build();
        sentinel.start();
        sentinels = List.of(sentinel);
    }

    private void startCluster(Path folder) throws IOException {
        for (int i = 0; i < 2; i++) {
            add("cluster-enabled yes", "dir " + folder, "cluster-config-file nodes-" + i + ".conf");
        }
        for (int i = 0; i < 2; i++) {
            nodes.get(i).commands().clusterAddSlots(slots(i));
        }
        nodes.get(0).commands().clusterMeet("127.0.0.1", nodes.get(1).port());
        await().atMost(PATIENCE)
                .until(() -> nodes.stream()
                        .allMatch(node -> node.commands().clusterInfo().contains("cluster_state:ok")
                                && node.commands().clusterInfo().contains("cluster_known_nodes:2")));
    }

    /** The slots of one of the two masters. */
    static int[] slots(int node) {
        return IntStream.range(node * SLOTS / 2, (node + 1) * SLOTS / 2).toArray();
    }

    Topology topology() {
        return topology;
    }

    List<ClusterRedis> nodes() {
        return nodes;
    }

    /** The port for applications; of a cluster, that of its first node. */
    int port() {
        return topology == Topology.TLS ? port : nodes.get(0).port();
    }

    int sentinelPort() {
        return port;
    }

    /** Makes the user of the application, with what the guide names and what its driver needs, or with all rights. */
    void allow(boolean everything, Client client) {
        boolean isAlone = topology == Topology.ALONE || topology == Topology.TLS;
        boolean isPlain =
                client != Client.REDISSON && client != Client.LETTUCE_REPLICA && client != Client.LETTUCE_STATIC;
        String drivers = isAlone && isPlain ? "" : " " + OF_DRIVERS;
        String rights = everything ? "allkeys allchannels +@all" : "~proofs:* &proofs:* " + COMMANDS + drivers;
        grant("reset resetchannels on >" + PASSWORD + " " + rights);
    }

    /** Changes the rights of the user, by rules as Redis has them. */
    void grant(String rules) {
        for (ClusterRedis node : nodes) {
            CommandArgs<String, String> arguments =
                    new CommandArgs<>(StringCodec.UTF8).add("SETUSER").add(USER);
            for (String rule : rules.split(" ", -1)) {
                arguments.add(rule);
            }
            node.commands().dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), arguments);
        }
    }

    /** Sets a parameter of every server. */
    void configure(String name, String value) {
        nodes.forEach(node -> node.commands().configSet(name, value));
    }

    /** Waits until the servers answer, and one of each two that are watched is the master. */
    void awaitMasters() {
        await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(RedisException.class)
                .until(() -> nodes.stream()
                                .map(ClusterRedis::commands)
                                .filter(Servers::isMaster)
                                .count()
                        == (topology == Topology.CLUSTER ? 2 : 1));
    }

    private static boolean isMaster(RedisCommands<String, String> commands) {
        return commands.info("replication").contains("role:master");
    }

    @Override
    public void close() throws IOException {
        for (RedisSentinel sentinel : sentinels) {
            sentinel.stop();
        }
        for (ClusterRedis node : nodes) {
            node.close();
        }
    }
}
