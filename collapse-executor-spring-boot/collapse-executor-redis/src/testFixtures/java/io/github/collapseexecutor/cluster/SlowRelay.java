package io.github.collapseexecutor.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** What lies between instances and a Redis on a busy machine: every answer comes later by a while. */
final class SlowRelay implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final int redisPort;
    private final long delayNanos;

    SlowRelay(int redisPort, int delayMillis) throws IOException {
        this.redisPort = redisPort;
        this.delayNanos = TimeUnit.MILLISECONDS.toNanos(delayMillis);
        start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    private interface Work {

        void run() throws IOException, InterruptedException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException | InterruptedException closed) {
                Thread.currentThread().interrupt(); // one of the two has ended, and so does the connection
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket instance = server.accept();
            Socket redis = new Socket(InetAddress.getLoopbackAddress(), redisPort);
            instance.setTcpNoDelay(true);
            redis.setTcpNoDelay(true);
            sockets.addAll(List.of(instance, redis));
            BlockingQueue<Part> answers = new DelayQueue<>();
            start(() -> {
                try (instance;
                        redis) {
                    instance.getInputStream().transferTo(redis.getOutputStream());
                }
            });
            start(() -> read(redis.getInputStream(), answers));
            start(() -> write(answers, instance.getOutputStream()));
        }
    }

    private void read(InputStream in, BlockingQueue<Part> answers) throws IOException {
        byte[] buffer = new byte[1 << 16];
        for (int size = in.read(buffer); size >= 0; size = in.read(buffer)) {
            answers.add(new Part(Arrays.copyOf(buffer, size), System.nanoTime() + delayNanos));
        }
    }

    private static void write(BlockingQueue<Part> answers, OutputStream out) throws IOException, InterruptedException {
        while (true) {
            out.write(answers.take().bytes);
        }
    }

    private static final class Part implements Delayed {

        // immutable
        private final byte[] bytes;
        private final long at;

        Part(byte[] bytes, long at) {
            this.bytes = bytes;
            this.at = at;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(at - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.signum(at - ((Part) other).at);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
