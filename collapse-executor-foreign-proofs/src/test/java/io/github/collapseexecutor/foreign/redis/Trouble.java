package io.github.collapseexecutor.foreign.redis;

import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.cluster.ClusterRedis;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** What happens to servers while instances share calls; at its end, all is as before. */
enum Trouble {
    NONE {
        @Override
        void happen(Servers servers, Random random) throws Exception {
            pass(500);
        }
    },
    /** An administrator, or a firewall, closes connections. */
    CUT {
        @Override
        void happen(Servers servers, Random random) throws Exception {
            for (int i = 0; i < 8; i++) {
                ClusterRedis node = any(servers, random);
                if (random.nextBoolean()) {
                    node.commands().clientKill(KillArgs.Builder.typeNormal().skipme());
                }
                if (random.nextBoolean()) {
                    node.commands().clientKill(KillArgs.Builder.typePubsub());
                }
                pass(random.nextInt(150));
            }
        }
    },
    STOP {
        @Override
        void happen(Servers servers, Random random) throws Exception {
            ClusterRedis node = any(servers, random);
            node.signal("STOP");
            pass(100 + random.nextInt(1_500));
            node.resume();
        }
    },
    KILL {
        @Override
        boolean fits(Topology topology) {
            return topology != Topology.SENTINEL;
        }

        @Override
        void happen(Servers servers, Random random) throws Exception {
            ClusterRedis node = any(servers, random);
            node.kill();
            pass(random.nextInt(1_000));
            node.start();
        }

        @Override
        boolean forgetsUsers() {
            return true;
        }
    },
    /** The replica becomes the master. */
    FAILOVER {
        @Override
        boolean fits(Topology topology) {
            return topology == Topology.SENTINEL;
        }

        @Override
        void happen(Servers servers, Random random) throws Exception {
            ClusterRedis master = servers.nodes().get(0);
            ClusterRedis replica = servers.nodes().get(1);
            master.kill();
            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptionsInstanceOf(RedisException.class) // Sentinel cuts the clients of a new master off
                    .until(() -> replica.commands().info("replication").contains("role:master"));
            master.start();
            servers.awaitMasters();
        }

        @Override
        boolean forgetsUsers() {
            return true;
        }
    },
    FULL {
        @Override
        void happen(Servers servers, Random random) throws Exception {
            servers.configure("maxmemory", "1");
            pass(300 + random.nextInt(1_000));
            servers.configure("maxmemory", "0");
        }
    },
    /** Memory is full at times, as where other applications write what expires soon. */
    NEARLY_FULL {
        @Override
        void happen(Servers servers, Random random) throws Exception {
            for (int i = 0; i < 25; i++) {
                servers.configure("maxmemory", "1");
                pass(random.nextInt(40));
                servers.configure("maxmemory", "0");
                pass(random.nextInt(40));
            }
        }
    },
    /** Another application fills Redis, which therefore drops whatever its policy says. */
    EVICTION {
        @Override
        void happen(Servers servers, Random random) throws Exception {
            String[] policies = {"allkeys-random", "allkeys-lru", "volatile-ttl", "volatile-lfu"};
            servers.configure("maxmemory-policy", policies[random.nextInt(policies.length)]);
            RedisCommands<String, String> commands = servers.nodes().get(0).commands();
            long used = commands.info("memory")
                    .lines()
                    .filter(line -> line.startsWith("used_memory:"))
                    .mapToLong(line ->
                            Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                    .sum();
            servers.configure("maxmemory", String.valueOf(used + 2_000_000));
            String junk = "junk".repeat(5_000);
            for (int i = 0; i < 400; i++) {
                try {
                    commands.set(ON_FIRST_NODE + i, junk, SetArgs.Builder.ex(60));
                } catch (RedisException full) {
                    commands.flushall();
                }
            }
            servers.configure("maxmemory", "0");
            servers.configure("maxmemory-policy", "noeviction");
        }
    },
    FLUSH {
        @Override
        void happen(Servers servers, Random random) throws Exception {
            for (int i = 0; i < 40; i++) {
                any(servers, random).commands().flushall();
                pass(random.nextInt(30));
            }
        }

        @Override
        boolean fits(Topology topology) {
            return topology != Topology.SENTINEL; // a replica takes no flush
        }
    },
    SCRIPTS_FORGOTTEN {
        @Override
        void happen(Servers servers, Random random) throws Exception {
            for (int i = 0; i < 20; i++) {
                any(servers, random).commands().scriptFlush();
                pass(random.nextInt(50));
            }
        }
    },
    READ_ONLY {
        @Override
        boolean fits(Topology topology) {
            return topology == Topology.ALONE || topology == Topology.TLS;
        }

        @Override
        void happen(Servers servers, Random random) throws Exception {
            ClusterRedis node = any(servers, random);
            node.commands().replicaof("127.0.0.1", node.port());
            pass(300 + random.nextInt(700));
            node.commands().replicaofNoOne();
        }
    },
    /** A server that must have replicas has lost them. */
    NO_REPLICAS {
        @Override
        boolean fits(Topology topology) {
            return topology != Topology.SENTINEL;
        }

        @Override
        void happen(Servers servers, Random random) throws Exception {
            servers.configure("min-replicas-to-write", "1");
            pass(300 + random.nextInt(700));
            servers.configure("min-replicas-to-write", "0");
        }
    },
    /** The script of another application runs on and on. */
    BUSY {
        @Override
        void happen(Servers servers, Random random) throws Exception {
            servers.configure("lua-time-limit", String.valueOf(20 + random.nextInt(200)));
            RedisCommands<String, String> commands = any(servers, random).commands();
            String script = "for i = 1, " + (10_000_000 + random.nextInt(100_000_000)) + " do end return 1";
            Object unused = commands.eval(script, ScriptOutputType.INTEGER);
            servers.configure("lua-time-limit", "5000");
        }
    },
    SLOW {
        @Override
        void happen(Servers servers, Random random) throws Exception {
            for (int i = 0; i < 6; i++) {
                any(servers, random).commands().clientPause(20 + random.nextInt(200));
                pass(150);
            }
        }
    },
    RIGHTS {
        @Override
        void happen(Servers servers, Random random) throws Exception {
            String[][] rights = {
                {"-evalsha", "+evalsha"},
                {"-eval -evalsha", "+eval +evalsha"},
                {"-publish", "+publish"},
                {"-subscribe", "+subscribe"},
                {"-hset", "+hset"},
                {"-hincrby", "+hincrby"},
                {"off", "on"}
            };
            String[] right = rights[random.nextInt(rights.length)];
            servers.grant(right[0]);
            for (ClusterRedis node : servers.nodes()) {
                node.disconnectOthers();
            }
            pass(300 + random.nextInt(700));
            servers.grant(right[1]);
        }
    },
    /** Somebody else writes under the names of the library. */
    FOREIGN {
        @Override
        void happen(Servers servers, Random random) throws Exception {
            for (int i = 0; i < 10; i++) {
                for (ClusterRedis node : servers.nodes()) {
                    for (String name : node.names()) {
                        try {
                            node.commands().set(name, "foreign", SetArgs.Builder.px(50));
                        } catch (RedisException replica) {
                            break; // which takes nothing
                        }
                    }
                }
                pass(random.nextInt(100));
            }
        }
    },
    /** A cluster does not serve some of its slots. */
    SLOTS_LOST {
        @Override
        boolean fits(Topology topology) {
            return topology == Topology.CLUSTER;
        }

        @Override
        void happen(Servers servers, Random random) throws Exception {
            int node = random.nextInt(2);
            RedisCommands<String, String> commands = servers.nodes().get(node).commands();
            commands.clusterDelSlots(Servers.slots(node));
            pass(300 + random.nextInt(700));
            commands.clusterAddSlots(Servers.slots(node));
        }
    };

    /** Of a cluster, the first of two nodes has what begins so. */
    private static final String ON_FIRST_NODE = "{bar}";

    abstract void happen(Servers servers, Random random) throws Exception;

    boolean fits(Topology topology) {
        return true;
    }

    /** Whether the user of the application has to be made again. */
    boolean forgetsUsers() {
        return false;
    }

    private static ClusterRedis any(Servers servers, Random random) {
        return servers.nodes().get(random.nextInt(servers.nodes().size()));
    }

    /** It lasts for so long. */
    private static void pass(int millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }
}
