package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Drives set-ups on a server or with a client, once with collapsing and once without, and says what differs.
 *
 * <p>A set-up has a difference if a caller gets with collapsing what none of several runs without collapsing gave it. Servers and clients have rare
 * failures of their own: a lab with patience looks for the same without collapsing, for so long, before it says that there is a difference.
 */
final class Lab {

    /** Compares the plain application with itself: a difference that comes then, too, has nothing to do with collapsing. */
    private static final boolean CONTROL = Boolean.getBoolean("http.lab.control");

    /** How often the plain application is asked again before a response counts as one that it never gives. */
    private static final int PLAIN_RUNS = 8;

    /** The name of what the plain application gives, too, but rarely. */
    static final String RARE = "COMES_WITHOUT_COLLAPSING_TOO";

    /** The name of what the plain application does not answer. */
    private static final String SILENT = "THE_PLAIN_APPLICATION_DOES_NOT_ANSWER";

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
    private final Duration patience;

    // mutable, thread-safe
    private final AtomicInteger setups = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicInteger plainRuns = new AtomicInteger();
    private final Map<String, Integer> explained = new ConcurrentSkipListMap<>();

    /** @param patience for how long the plain application is asked for what differs */
    Lab(LabServer server, Duration patience) {
        this.server = server;
        this.patience = patience;
    }

    /** How many set-ups were driven with collapsing. */
    int setups() {
        return setups.get();
    }

    /** How many requests collapsing applications got. */
    int requests() {
        return requests.get();
    }

    /** How many responses differed as a limit explains, by the name of the limit. */
    Map<String, Integer> explained() {
        return explained;
    }

    /** How many runs of handlers answered them. */
    int runs() {
        return runs.get();
    }

    /** How many runs the same requests take without collapsing; a client may repeat one by itself. */
    int plainRuns() {
        return plainRuns.get();
    }

    /** Drives the set-up of a seed. */
    Optional<Difference> difference(long seed) {
        return difference(LabSetup.of(seed, server.make())).filter(difference -> !comesWithoutCollapsing(difference));
    }

    private boolean comesWithoutCollapsing(Difference difference) {
        int runsOfIt = 0;
        for (long end = System.nanoTime() + patience.toNanos(); System.nanoTime() - end < 0; runsOfIt++) {
            List<List<List<RawReply>>> plain = List.of(drive(difference.setup(), false, new AtomicInteger()));
            if (isAmong(difference.collapsed(), plain, difference.caller(), difference.round())) {
                explained.merge(RARE, 1, Integer::sum);
                System.out.printf(
                        "%s: seed %d comes without collapsing, too, in one of %d runs%n",
                        server.make(), difference.setup().seed(), runsOfIt + 1);
                return true;
            }
        }
        return false;
    }

    /** Drives a set-up. A limit that explains one response does not excuse the others. */
    Optional<Difference> difference(LabSetup setup) {
        List<List<List<RawReply>>> plain = new ArrayList<>();
        try {
            plain.add(drive(setup, false, plainRuns));
        } catch (IllegalStateException e) {
            if (!isSilence(e)) {
                throw e;
            }
            explained.merge(SILENT, 1, Integer::sum); // nothing to compare with
            return Optional.empty();
        }
        List<List<RawReply>> collapsed = drive(setup, true, runs);
        setups.incrementAndGet();
        for (int caller = 0; caller < collapsed.size(); caller++) {
            for (int round = 0; round < collapsed.get(caller).size(); round++) {
                RawReply reply = collapsed.get(caller).get(round);
                while (!isAmong(reply, plain, caller, round) && plain.size() < PLAIN_RUNS) {
                    plain.add(drive(setup, false, new AtomicInteger()));
                }
                if (!isAmong(reply, plain, caller, round) && !isExplained(setup, reply, plain, caller, round)) {
                    return Optional.of(new Difference(
                            setup, caller, round, seen(plain, caller, round).get(0), reply));
                }
            }
        }
        return Optional.empty();
    }

    private boolean isExplained(
            LabSetup setup, RawReply reply, List<List<List<RawReply>>> plain, int caller, int round) {
        LabCall call = setup.callers().get(caller).get(round);
        Optional<String> limit = seen(plain, caller, round).stream()
                .flatMap(seen -> LabLimits.explaining(server.make(), setup, call, seen, reply).stream())
                .findFirst();
        limit.ifPresent(name -> explained.merge(name, 1, Integer::sum));
        return limit.isPresent();
    }

    /** Whether this is what the plain application gives in one of its runs; where it cuts the body in chunks, too, unless that differs by itself. */
    private static boolean isAmong(RawReply reply, List<List<List<RawReply>>> plain, int caller, int round) {
        List<RawReply> seen = seen(plain, caller, round);
        boolean chunksDiffer = seen.stream().map(RawReply::chunks).distinct().count() > 1;
        return seen.stream()
                .anyMatch(other -> chunksDiffer
                        ? other.anyChunks().equals(reply.anyChunks())
                        : reply.unlessJoined(other).equals(other));
    }

    /** What the plain application has given a caller in its runs. */
    private static List<RawReply> seen(List<List<List<RawReply>>> plain, int caller, int round) {
        return plain.stream()
                .map(replies -> replies.get(caller))
                .filter(replies -> replies.size() > round)
                .map(replies -> replies.get(round))
                .toList();
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

    /** Undertow leaves some responses open whose handlers write without blocking, and another length than they have declared. */
    private static boolean isSilence(IllegalStateException failure) {
        return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(SocketTimeoutException.class::isInstance);
    }

    /** What each caller gets. */
    private List<List<RawReply>> drive(LabSetup setup, boolean collapses, AtomicInteger counted) {
        String name = Long.toString(NAMES.incrementAndGet());
        server.host(name, setup, collapses && !CONTROL);
        try {
            if (collapses) {
                requests.addAndGet(
                        setup.callers().size() * setup.callers().get(0).size());
            }
            return replies(setup, name, counted);
        } catch (RuntimeException e) {
            throw new IllegalStateException(setup.toString(), e);
        } finally {
            server.remove(name);
        }
    }

    private List<List<RawReply>> replies(LabSetup setup, String name, AtomicInteger counted) {
        List<LabCaller> callers = new ArrayList<>();
        try {
            for (int i = 0; i < setup.callers().size(); i++) {
                callers.add(server.caller(name));
            }
            int rounds = setup.callers().get(0).size();
            for (int round = 0; round < rounds; round++) {
                round(setup, name, round, callers, counted);
            }
            return callers.stream().map(LabCaller::end).toList();
        } finally {
            callers.forEach(LabCaller::close);
        }
    }

    private void round(LabSetup setup, String name, int round, List<LabCaller> callers, AtomicInteger counted) {
        String meeting = name + "-" + round;
        int present = (int) callers.stream().filter(caller -> !caller.hasLeft()).count();
        LabMeetings.Meeting held = server.meetings().open(meeting, present);
        try {
            RandomGenerator random = ThreadLocalRandom.current();
            boolean last = round == setup.callers().get(0).size() - 1;
            for (int i = 0; i < callers.size(); i++) {
                callers.get(i).send(setup.callers().get(i).get(round), meeting, round, last);
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
            counted.addAndGet(held.runs());
        } finally {
            server.meetings().close(meeting);
        }
    }
}
