package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Drives set-ups on a server, once with collapsing and once without, and says what differs.
 *
 * <p>A set-up has a difference if a caller gets with collapsing what none of several runs without collapsing gave it.
 */
final class Lab {

    private static final int TIME_OUT_MILLIS = Integer.getInteger("http.lab.timeout", 10_000);

    /** How often the plain application is asked again before a response counts as one that it never gives. */
    private static final int PLAIN_RUNS = 8;

    /** How often a smaller set-up is tried before it counts as one without a difference. */
    private static final int TRIES = 4;

    private static final AtomicLong NAMES = new AtomicLong();

    /** What a caller got that it does not get without collapsing. */
    record Difference(LabSetup setup, int caller, int round, RawReply plain, RawReply collapsed) {

        @Override
        public String toString() {
            return "seed " + setup.seed() + ": caller " + caller + ", request " + round + "\n  " + setup
                    + "\n-- without collapsing:\n" + plain + "\n-- with:\n" + collapsed;
        }
    }

    // immutable
    private final LabServer server;

    // mutable, thread-safe
    private final AtomicInteger setups = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger runs = new AtomicInteger();

    Lab(LabServer server) {
        this.server = server;
    }

    /** How many set-ups were driven with collapsing. */
    int setups() {
        return setups.get();
    }

    /** How many requests collapsing applications got. */
    int requests() {
        return requests.get();
    }

    /** How many runs of handlers answered them. */
    int runs() {
        return runs.get();
    }

    /** Drives the set-up of a seed. */
    Optional<Difference> difference(long seed) {
        return difference(LabSetup.of(seed, server.isReactive()));
    }

    /** Drives a set-up. */
    Optional<Difference> difference(LabSetup setup) {
        List<List<List<RawReply>>> plain = new ArrayList<>();
        plain.add(drive(setup, false));
        List<List<RawReply>> collapsed = drive(setup, true);
        setups.incrementAndGet();
        for (int caller = 0; caller < collapsed.size(); caller++) {
            for (int round = 0; round < collapsed.get(caller).size(); round++) {
                RawReply reply = collapsed.get(caller).get(round);
                while (!isAmong(reply, plain, caller, round)) {
                    if (plain.size() == PLAIN_RUNS) {
                        RawReply without = plain.get(0).get(caller).get(round);
                        return LabLimits.explain(server.make(), setup, without, reply)
                                ? Optional.empty()
                                : Optional.of(new Difference(setup, caller, round, without, reply));
                    }
                    plain.add(drive(setup, false));
                }
            }
        }
        return Optional.empty();
    }

    /** Whether this is what the plain application gives in one of its runs; where it cuts the body in chunks, too, unless that differs by itself. */
    private static boolean isAmong(RawReply reply, List<List<List<RawReply>>> plain, int caller, int round) {
        List<RawReply> seen = plain.stream()
                .map(replies -> replies.get(caller))
                .filter(replies -> replies.size() > round)
                .map(replies -> replies.get(round))
                .toList();
        boolean chunksDiffer = seen.stream().map(RawReply::chunks).distinct().count() > 1;
        return seen.stream()
                .anyMatch(other -> chunksDiffer
                        ? other.anyChunks().equals(reply.anyChunks())
                        : reply.unlessJoined(other).equals(other));
    }

    /** The same with as few parts as still make a difference. */
    Difference shrunk(Difference difference) {
        Difference smallest = difference;
        for (boolean smaller = true; smaller; ) {
            smaller = false;
            for (LabSetup candidate : smallest.setup().smaller().toList()) {
                Optional<Difference> found = Stream.generate(() -> difference(candidate))
                        .limit(TRIES)
                        .flatMap(Optional::stream)
                        .findFirst();
                if (found.isPresent()) {
                    smallest = found.get();
                    smaller = true;
                    break;
                }
            }
        }
        return smallest;
    }

    /** What each caller gets. */
    private List<List<RawReply>> drive(LabSetup setup, boolean collapses) {
        String name = Long.toString(NAMES.incrementAndGet());
        server.host(name, setup, collapses);
        try {
            return replies(setup, name, collapses);
        } catch (IOException e) {
            throw new IllegalStateException(setup.toString(), e);
        } finally {
            server.remove(name);
        }
    }

    private List<List<RawReply>> replies(LabSetup setup, String name, boolean collapses) throws IOException {
        List<Connection> callers = new ArrayList<>();
        try {
            for (int i = 0; i < setup.callers().size(); i++) {
                callers.add(new Connection(server.port()));
            }
            int rounds = setup.callers().get(0).size();
            for (int round = 0; round < rounds; round++) {
                round(setup, name, round, callers, collapses);
            }
            List<List<RawReply>> replies = new ArrayList<>();
            for (Connection caller : callers) {
                List<RawReply> ended = caller.end();
                replies.add(
                        server.isReactive() ? ended.stream().map(Lab::byName).toList() : ended);
            }
            return replies;
        } finally {
            for (Connection caller : callers) {
                caller.socket.close();
            }
        }
    }

    /** In the order of the headers' names: Spring's reactive server keeps those of one name together, and in order. */
    private static RawReply byName(RawReply reply) {
        String head = reply.head()
                .lines()
                .sorted(Comparator.comparing(
                        line -> line.replaceFirst(":.*", "").toLowerCase(Locale.ROOT)))
                .collect(Collectors.joining("\n"));
        return new RawReply(head, reply.body(), reply.framing(), reply.chunks());
    }

    private void round(LabSetup setup, String name, int round, List<Connection> callers, boolean collapses)
            throws IOException {
        String meeting = name + "-" + round;
        int present = (int) callers.stream().filter(caller -> !caller.left).count();
        LabMeetings.Meeting held = server.meetings().open(meeting, present);
        try {
            RandomGenerator random = ThreadLocalRandom.current();
            boolean last = !server.keepsConnections()
                    || round == setup.callers().get(0).size() - 1;
            for (int i = 0; i < callers.size(); i++) {
                if (round > 0 && !server.keepsConnections()) {
                    callers.get(i).renew(server.port());
                }
                LabCall call = setup.callers().get(i).get(round);
                callers.get(i).send(call.bytes("/" + round, name, meeting, last));
                if (random.nextInt(4) == 0) {
                    LockSupport.parkNanos(random.nextInt(500_000));
                }
            }
            List<Integer> order = new ArrayList<>(
                    Stream.iterate(0, i -> i + 1).limit(callers.size()).toList());
            Collections.shuffle(order);
            for (int i : order) {
                callers.get(i).receive(setup.callers().get(i).get(round));
            }
            if (collapses) {
                requests.addAndGet(callers.size());
                runs.addAndGet(held.runs());
            }
        } finally {
            server.meetings().close(meeting);
        }
    }

    /** One caller's connection. */
    private static final class Connection {

        // mutable, confined to the thread that drives
        private Socket socket;
        private RawReply.Reader reader;
        private final List<RawReply> replies = new ArrayList<>();
        private boolean left;

        Connection(int port) throws IOException {
            socket = connected(port);
            reader = new RawReply.Reader(new BufferedInputStream(socket.getInputStream()));
        }

        private static Socket connected(int port) throws IOException {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIME_OUT_MILLIS);
            return socket;
        }

        /** Has the next request go over another connection, unless the caller has left. */
        void renew(int port) throws IOException {
            if (!left) {
                socket.close();
                socket = connected(port);
                reader = new RawReply.Reader(new BufferedInputStream(socket.getInputStream()));
            }
        }

        void send(byte[] request) throws IOException {
            if (!left) {
                try {
                    socket.getOutputStream().write(request);
                } catch (SocketException e) {
                    left = true; // the server has ended the connection with its response
                }
            }
        }

        void receive(LabCall call) throws IOException {
            if (left) {
                return;
            }
            if (call.leaves()) {
                left = true;
                socket.close();
                return;
            }
            try {
                replies.add(reader.read(call.isHead()).reply());
            } catch (SocketTimeoutException e) {
                left = true;
                replies.add(new RawReply("", "", "no response in " + TIME_OUT_MILLIS + " ms", List.of()));
            }
        }

        /** Says that no request follows, and reads whatever the server has sent beyond its responses. */
        List<RawReply> end() throws IOException {
            if (!left) {
                try {
                    socket.shutdownOutput();
                    String rest = reader.rest();
                    if (!rest.isEmpty()) {
                        replies.add(new RawReply("", rest, "more bytes than the response has", List.of()));
                    }
                } catch (SocketException e) {
                    // the server has ended the connection
                }
            }
            return replies;
        }
    }
}
