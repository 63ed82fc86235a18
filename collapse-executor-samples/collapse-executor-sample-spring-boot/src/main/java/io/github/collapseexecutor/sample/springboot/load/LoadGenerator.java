package io.github.collapseexecutor.sample.springboot.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.LongFunction;
import org.HdrHistogram.Histogram;

/**
 * Connections over each of which one request after another is sent, as soon as the one before is answered. One thread looks
 * after all of them, because whatever the load generator costs, the server on the same machine does not get.
 *
 * <p>Each answer is a number that the server counts up with every run of its work. On one connection they must rise: a run that
 * had begun before the request was sent must not answer it.
 */
final class LoadGenerator {

    /** How long the last answers are waited for. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    // immutable
    private final InetSocketAddress server;
    private final LongFunction<String> path;
    private final String restOfHead;
    private final boolean mustRise;
    private final long from;
    private final long to;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(16 * 1024);
    private final Histogram nanos = new Histogram(3);

    // mutable, confined to the one thread
    private long next = System.nanoTime(); // no number of an earlier load comes again
    private long answers;
    private long all;
    private long wrong;
    private long failed;
    private int busy;

    private LoadGenerator(
            InetSocketAddress server, LongFunction<String> path, boolean mustRise, Duration warmUp, Duration measured) {
        this.server = server;
        this.path = path;
        this.restOfHead = " HTTP/1.1\r\nHost: localhost:" + server.getPort() + "\r\n\r\n";
        this.mustRise = mustRise;
        this.from = System.nanoTime() + warmUp.toNanos();
        this.to = from + measured.toNanos();
    }

    /**
     * Puts a server under load.
     *
     * @param server its address
     * @param path what is asked for, by the number of the request; no two requests have the same number
     * @param mustRise whether an answer must be younger than the one before on the same connection
     * @param connections how many ask at a time
     * @param warmUp how long it takes before anything is counted but failures and wrong answers
     * @param measured for how long it is counted
     * @throws IOException if the server cannot be reached
     */
    static LoadResult run(
            InetSocketAddress server,
            LongFunction<String> path,
            boolean mustRise,
            int connections,
            Duration warmUp,
            Duration measured)
            throws IOException {
        return new LoadGenerator(server, path, mustRise, warmUp, measured).run(connections, measured);
    }

    private LoadResult run(int connections, Duration measured) throws IOException {
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < connections; i++) {
                SocketChannel channel = SocketChannel.open(server);
                channel.configureBlocking(false);
                Connection connection = new Connection(channel);
                channel.register(selector, SelectionKey.OP_READ, connection);
                busy++;
                connection.ask();
            }
            long end = to + PATIENCE.toNanos();
            while (busy > 0 && System.nanoTime() - end < 0) {
                selector.select(key -> ((Connection) key.attachment()).read(), 100);
            }
            failed += busy; // users that have not been answered
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        }
        return new LoadResult(
                answers,
                all,
                measured.toNanos(),
                nanos.getValueAtPercentile(50),
                nanos.getValueAtPercentile(99),
                wrong,
                failed);
    }

    private final class Connection {

        // immutable
        private final SocketChannel channel;
        private final ResponseBytes response = new ResponseBytes();

        // mutable, confined to the one thread
        private long askedAt;
        private long last = Long.MIN_VALUE;

        Connection(SocketChannel channel) {
            this.channel = channel;
        }

        void ask() throws IOException {
            byte[] request = ("GET " + path.apply(next++) + restOfHead).getBytes(StandardCharsets.US_ASCII);
            askedAt = System.nanoTime();
            if (channel.write(ByteBuffer.wrap(request)) != request.length) {
                throw new IOException("A request of " + request.length + " bytes did not fit into an idle connection");
            }
        }

        void read() {
            try {
                buffer.clear();
                int count = channel.read(buffer);
                ResponseBytes.Complete complete = count < 0 ? null : response.add(buffer.flip());
                if (count < 0) {
                    fail();
                } else if (complete != null) {
                    answered(complete);
                }
            } catch (IOException | IllegalStateException e) {
                fail();
            }
        }

        /** Counted, because one that fails tells as much as a hundred do; the connection asks no more. */
        private void fail() {
            failed++;
            stop();
        }

        private void stop() {
            busy--;
            try {
                channel.close();
            } catch (IOException e) {
                failed++;
            }
        }

        private void answered(ResponseBytes.Complete complete) throws IOException {
            long now = System.nanoTime();
            all++;
            if (now - from >= 0 && now - to < 0) {
                answers++;
                nanos.recordValue(now - askedAt);
            }
            if (!isRight(complete)) {
                wrong++;
            }
            if (now - to < 0) {
                ask();
            } else {
                stop();
            }
        }

        private boolean isRight(ResponseBytes.Complete complete) {
            if (complete.status() != 200) {
                return false;
            }
            try {
                long number = Long.parseLong(complete.body());
                boolean right = !mustRise || number > last;
                last = number;
                return right;
            } catch (NumberFormatException e) {
                return false;
            }
        }
    }
}
