package io.github.collapseexecutor.sequence;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import redis.embedded.RedisServer;

/** A Redis that is started once, by the first test that needs it, and stopped with the JVM. */
public final class LocalRedis {

    private LocalRedis() {}

    /** Returns the address of the running server. */
    public static String url() {
        return Holder.URL;
    }

    private static final class Holder {

        static final String URL = start();

        private static String start() {
            try {
                int port = freePort();
                RedisServer server = RedisServer.newRedisServer().port(port).build();
                server.start();
                Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server)));
                return "redis://localhost:" + port;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static int freePort() throws IOException {
            try (ServerSocket socket = new ServerSocket(0)) {
                return socket.getLocalPort();
            }
        }

        private static void stop(RedisServer server) {
            try {
                server.stop();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
