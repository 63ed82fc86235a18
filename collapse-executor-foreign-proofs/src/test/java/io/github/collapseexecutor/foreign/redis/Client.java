package io.github.collapseexecutor.foreign.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.ProtocolVersion;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.BaseConfig;
import org.redisson.config.Config;
import org.redisson.spring.data.connection.RedissonConnectionFactory;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;

/** What an application reaches Redis by. */
enum Client {
    LETTUCE,
    /** Connections that nobody else uses come out of a pool. */
    LETTUCE_POOL {
        @Override
        LettuceClientConfigurationBuilder builder() {
            GenericObjectPoolConfig<StatefulConnection<?, ?>> pool = new GenericObjectPoolConfig<>();
            pool.setMaxTotal(3);
            pool.setMaxWait(Duration.ofSeconds(1));
            return LettucePoolingClientConfiguration.builder().poolConfig(pool);
        }

        @Override
        void set(LettuceConnectionFactory factory) {
            factory.setShareNativeConnection(false);
        }
    },
    /** As {@code spring.data.redis.lettuce.pool} has it. */
    LETTUCE_SHARED_POOL {
        @Override
        LettuceClientConfigurationBuilder builder() {
            return LettucePoolingClientConfiguration.builder().poolConfig(new GenericObjectPoolConfig<>());
        }

        @Override
        void set(LettuceConnectionFactory factory) {
            factory.setValidateConnection(true);
        }
    },
    LETTUCE_RESP2 {
        @Override
        ClientOptions options() {
            return ClientOptions.builder()
                    .protocolVersion(ProtocolVersion.RESP2)
                    .build();
        }
    },
    /** Commands fail at once while there is no connection. */
    LETTUCE_REJECTING {
        @Override
        ClientOptions options() {
            return ClientOptions.builder()
                    .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                    .build();
        }
    },
    /** Commands fail after a time that is shorter than the library's. */
    LETTUCE_HASTY {
        @Override
        LettuceClientConfigurationBuilder builder() {
            return super.builder().commandTimeout(Duration.ofMillis(20)).clientName("hasty");
        }

        @Override
        ClientOptions options() {
            return ClientOptions.builder()
                    .timeoutOptions(TimeoutOptions.enabled())
                    .build();
        }
    },
    /** Connections that are lost stay so, until Spring opens others. */
    LETTUCE_ONCE {
        @Override
        void set(LettuceConnectionFactory factory) {
            factory.setValidateConnection(true);
        }

        @Override
        ClientOptions options() {
            return ClientOptions.builder().autoReconnect(false).build();
        }
    },
    LETTUCE_REPLICA {
        @Override
        LettuceClientConfigurationBuilder builder() {
            return super.builder().readFrom(ReadFrom.REPLICA_PREFERRED);
        }
    },
    /** A list of servers by their addresses, of which Lettuce finds the master; it has no messages. */
    LETTUCE_STATIC {
        @Override
        boolean fits(Topology topology) {
            return topology == Topology.ALONE;
        }

        @Override
        RedisConfiguration configuration(Servers servers) {
            RedisStaticMasterReplicaConfiguration configuration =
                    new RedisStaticMasterReplicaConfiguration("127.0.0.1", servers.port());
            configuration.setUsername(Servers.USER);
            configuration.setPassword(Servers.PASSWORD);
            return configuration;
        }
    },
    /** Its connections reconnect, repeat commands and tell of messages in ways of their own. */
    REDISSON {
        @Override
        ReactiveRedisConnectionFactory connect(Servers servers, Consumer<Runnable> closing) {
            RedissonClient client = Redisson.create(redisson(servers));
            closing.accept(client::shutdown);
            return new RedissonConnectionFactory(client);
        }
    };

    boolean fits(Topology topology) {
        return true;
    }

    /** Returns a factory that is ready. */
    ReactiveRedisConnectionFactory connect(Servers servers, Consumer<Runnable> closing) {
        LettuceClientConfigurationBuilder builder =
                builder().clientOptions(options()).shutdownTimeout(Duration.ZERO);
        LettuceClientConfiguration client = servers.topology() == Topology.TLS
                ? builder.useSsl().disablePeerVerification().and().build()
                : builder.build();
        LettuceConnectionFactory factory = factory(configuration(servers), client);
        set(factory);
        factory.afterPropertiesSet();
        factory.start();
        closing.accept(factory::destroy);
        return factory;
    }

    LettuceClientConfigurationBuilder builder() {
        return LettuceClientConfiguration.builder();
    }

    ClientOptions options() {
        return ClientOptions.create();
    }

    void set(LettuceConnectionFactory factory) {
        // as Spring has it
    }

    private static LettuceConnectionFactory factory(RedisConfiguration servers, LettuceClientConfiguration client) {
        if (servers instanceof RedisClusterConfiguration cluster) {
            return new LettuceConnectionFactory(cluster, client);
        } else if (servers instanceof RedisSentinelConfiguration watched) {
            return new LettuceConnectionFactory(watched, client);
        } else {
            return new LettuceConnectionFactory(servers, client);
        }
    }

    RedisConfiguration configuration(Servers servers) {
        return switch (servers.topology()) {
            case ALONE, TLS -> {
                RedisStandaloneConfiguration alone = new RedisStandaloneConfiguration("127.0.0.1", servers.port());
                alone.setUsername(Servers.USER);
                alone.setPassword(Servers.PASSWORD);
                yield alone;
            }
            case SENTINEL -> {
                RedisSentinelConfiguration watched = new RedisSentinelConfiguration()
                        .master(Servers.MASTER)
                        .sentinel("127.0.0.1", servers.sentinelPort());
                watched.setUsername(Servers.USER);
                watched.setPassword(Servers.PASSWORD);
                yield watched;
            }
            case CLUSTER -> {
                RedisClusterConfiguration cluster =
                        new RedisClusterConfiguration(List.of("127.0.0.1:" + servers.port()));
                cluster.setUsername(Servers.USER);
                cluster.setPassword(Servers.PASSWORD);
                yield cluster;
            }
        };
    }

    private static Config redisson(Servers servers) {
        Config config = new Config();
        String scheme = servers.topology() == Topology.TLS ? "rediss://127.0.0.1:" : "redis://127.0.0.1:";
        BaseConfig<?> common = switch (servers.topology()) {
            case ALONE, TLS -> config.useSingleServer().setAddress(scheme + servers.port());
            case SENTINEL ->
                config.useSentinelServers()
                        .setMasterName(Servers.MASTER)
                        .addSentinelAddress(scheme + servers.sentinelPort())
                        .setCheckSentinelsList(false);
            case CLUSTER -> config.useClusterServers().addNodeAddress(scheme + servers.port());
        };
        common.setUsername(Servers.USER).setPassword(Servers.PASSWORD);
        return config;
    }
}
