package io.github.collapseexecutor.sample.springboot.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Connections over each of which one request after another is sent: as soon as the one before is answered, or, where the load has a
 * rate, when it is time and a connection is free. One thread looks after all of them, because whatever the load generator costs,
 * the server on the same machine does not get.
 *
 * <p>Each answer is a number that the server counts up with every run of its work. On one connection they must rise: a run that
 * had begun before the request was sent must not answer it.
 *
 * <p>Where the load has a rate, an answer takes as long as from the moment when its request was due: a request that finds no free
 * connection waits, and that wait counts.
 */
final class LoadGenerator {

    /** How long the last answers are waited for. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int MOST_WAIT_MILLIS = 100;

    // immutable
    private final Load load;
    private final Duration patience;
    private final String restOfHead;
    private final long begin = System.nanoTime();
    private final long from;
    private final long to;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(16 * 1024);
    private final Histogram nanos = new Histogram(3);

    // mutable, confined to the one thread
    private final Deque<Connection> free = new ArrayDeque<>();
    private final List<long[]> intervals = new ArrayList<>();
    private long next = System.nanoTime(); // no number of an earlier load comes again
    private long sent; // where the load has a rate
    private long answers;
    private long all;
    private long wrong;
    private long failed;
    private @Nullable String firstFailure;
    private int busy;

    private LoadGenerator(InetSocketAddress server, Load load, Duration patience) {
        this.load = load;
        this.patience = patience;
        this.restOfHead = " HTTP/1.1\r\nHost: localhost:" + server.getPort() + "\r\n\r\n";
        this.from = begin + load.warmUp().toNanos();
        this.to = from + load.measured().toNanos();
    }

    /**
     * Puts a server under load.
     *
     * @param server its address
     * @param load what it is asked for
     * @throws IOException if the server cannot be reached
     */
    static LoadResult run(InetSocketAddress server, Load load) throws IOException {
        return run(server, load, () -> {});
    }

    /**
     * Puts a server under load.
     *
     * @param connected what is to be done when all connections are open, and nothing has been sent
     */
    static LoadResult run(InetSocketAddress server, Load load, Runnable connected) throws IOException {
        return run(server, load, connected, PATIENCE);
    }

    /**
     * Puts a server under load.
     *
     * @param patience how long the last answers are waited for
     */
    static LoadResult run(InetSocketAddress server, Load load, Runnable connected, Duration patience)
            throws IOException {
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < load.connections(); i++) {
                SocketChannel channel = SocketChannel.open(server);
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ);
            }
            connected.run();
            return new LoadGenerator(server, load, patience).run(selector);
        }
    }

    private LoadResult run(Selector selector) throws IOException {
        for (SelectionKey key : selector.keys()) {
            Connection connection = new Connection((SocketChannel) key.channel());
            key.attach(connection);
            if (load.isOpen()) {
                free.add(connection);
            } else {
                connection.ask(System.nanoTime());
            }
        }
        long end = to + patience.toNanos();
        while ((busy > 0 || isMoreToSend()) && System.nanoTime() - end < 0) {
            long wait = sendDue();
            selector.select(key -> ((Connection) key.attachment()).read(), wait);
        }
        if (busy > 0) {
            failed(busy, unanswered(selector));
        }
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        return new LoadResult(
                answers,
                all,
                load.measured().toNanos(),
                nanos,
                wrong,
                failed,
                firstFailure,
                intervals.stream()
                        .map(counts -> new Interval(counts[0], counts[1]))
                        .toList());
    }

    /** What is known of the requests that wait still, to tell one that was not read from one that was answered in part. */
    private String unanswered(Selector selector) {
        long now = System.nanoTime();
        return "not answered within " + patience.toSeconds() + " s of the end: "
                + selector.keys().stream()
                        .map(key -> (Connection) key.attachment())
                        .filter(connection -> connection.waits)
                        .map(connection -> "one asked for " + (now - connection.askedAt) / 1_000_000
                                + " ms ago, of which " + connection.response.length() + " bytes came")
                        .collect(Collectors.joining(", "));
    }

    private boolean isMoreToSend() {
        return load.isOpen() && begin + load.dueNanos(sent) - to < 0;
    }

    /** Sends what is due, and returns for how many milliseconds nothing will be. */
    private long sendDue() throws IOException {
        while (isMoreToSend()) {
            long due = begin + load.dueNanos(sent);
            long early = due - System.nanoTime();
            if (early > 0) {
                return Math.max(1, early / 1_000_000);
            }
            Connection connection = free.poll();
            if (connection == null) {
                return MOST_WAIT_MILLIS;
            }
            sent++;
            connection.ask(due);
        }
        return MOST_WAIT_MILLIS;
    }

    private void failed(int count, String why) {
        failed += count;
        if (firstFailure == null) {
            firstFailure = why;
        }
    }

    private void note(long now, int which) {
        int index = (int) ((now - begin) / Interval.LENGTH.toNanos());
        while (intervals.size() <= index) {
            intervals.add(new long[2]);
        }
        intervals.get(index)[which]++;
    }

    private final class Connection {

        // immutable
        private final SocketChannel channel;
        private final ResponseBytes response = new ResponseBytes();

        // mutable, confined to the one thread
        private long askedAt;
        private boolean waits;
        private long last = Long.MIN_VALUE;

        Connection(SocketChannel channel) {
            this.channel = channel;
        }

        /** Sends a request that was due then. */
        void ask(long due) throws IOException {
            byte[] request = ("GET " + load.path().apply(next++) + restOfHead).getBytes(StandardCharsets.US_ASCII);
            askedAt = due;
            waits = true;
            busy++;
            if (channel.write(ByteBuffer.wrap(request)) != request.length) {
                throw new IOException("A request of " + request.length + " bytes did not fit into an idle connection");
            }
        }

        void read() {
            try {
                buffer.clear();
                int count = channel.read(buffer);
                if (count < 0) {
                    fail("the server closed a connection" + (waits ? " without an answer" : " that was idle"));
                    return;
                }
                if (!waits) {
                    fail("a connection got an answer that it had not asked for");
                    return;
                }
                ResponseBytes.Complete complete = response.add(buffer.flip());
                if (complete != null) {
                    answered(complete);
                }
            } catch (IOException | IllegalStateException e) {
                fail(e.toString());
            }
        }

        /** Counted, because one that fails tells as much as a hundred do; the connection asks no more. */
        private void fail(String why) {
            failed(1, why);
            note(System.nanoTime(), 1);
            if (waits) {
                busy--;
            } else {
                free.remove(this);
            }
            close();
        }

        private void close() {
            try {
                channel.close();
            } catch (IOException e) {
                failed(1, e.toString());
            }
        }

        private void answered(ResponseBytes.Complete complete) throws IOException {
            long now = System.nanoTime();
            waits = false;
            busy--;
            if (complete.status() >= 500) {
                failed(1, "status " + complete.status() + ", " + complete.body());
                note(now, 1);
            } else {
                count(complete, now);
            }
            if (load.isOpen()) {
                free.add(this);
            } else if (now - to < 0) {
                ask(now);
            } else {
                close();
            }
        }

        private void count(ResponseBytes.Complete complete, long now) {
            all++;
            note(now, 0);
            long counts = load.isOpen() ? askedAt : now;
            if (counts - from >= 0 && counts - to < 0) {
                answers++;
                nanos.recordValue(now - askedAt);
            }
            if (!isRight(complete)) {
                wrong++;
            }
        }

        private boolean isRight(ResponseBytes.Complete complete) {
            if (complete.status() != 200) {
                return false;
            }
            try {
                long number = Long.parseLong(complete.body());
                boolean right = !load.mustRise() || number > last;
                last = number;
                return right;
            } catch (NumberFormatException e) {
                return false;
            }
        }
    }
}
