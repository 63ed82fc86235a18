package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Three processes share calls, while they are killed, stopped for longer than a lease, and replaced by those of another release, and while the backend
 * fails: no answer is of the other release or older than its question, no caller hangs, and nothing is left in Redis.
 *
 * <p>{@code -Dcluster.millis=600000} is the long form; {@code -Dcluster.seed} repeats the order of its events.
 */
@Timeout(1200)
class LongRunTests {

    private static final int MILLIS = Integer.getInteger("cluster.millis", 2000);
    private static final long SEED = Long.getLong("cluster.seed", System.nanoTime());
    private static final int MEMBERS = 3;
    private static final int CALLERS_EACH = 12;
    private static final long LEASE_MILLIS = 500;

    private enum Event {
        KILL,
        STOP,
        FAIL,
        DEPLOY
    }

    private final Random random = new Random(SEED);
    private final List<Member> members = new ArrayList<>();
    private final long[] sums = new long[8];
    private final Map<Event, Integer> events = new EnumMap<>(Event.class);
    private ClusterRedis redis;
    private ClusterBackend backend;
    private int deployed;

    @BeforeEach
    void start() throws Exception {
        redis = new ClusterRedis();
        backend = new ClusterBackend(20, 40);
    }

    @AfterEach
    void stop() throws Exception {
        for (Member member : members) {
            member.process.toHandle().destroyForcibly();
            member.process.waitFor();
        }
        backend.close();
        redis.close();
    }

    @Test
    void nothingThatHappensToInstancesGivesAWrongOrOldAnswer() throws Exception {
        for (int i = 0; i < MEMBERS; i++) {
            members.add(new Member(1));
        }
        awaitAnswersOfAll();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MILLIS);
        for (Event event : Event.values()) {
            happen(event);
        }
        while (System.nanoTime() < end) {
            happen(Event.values()[random.nextInt(Event.values().length)]);
        }
        for (Member member : List.copyOf(members)) {
            end(member);
        }
        System.out.printf(
                "seed %d: %s; %d answers, %d calls failed as"
                        + " they should, %d old, %d wrong, %d hung; %d led, %d taken, %d alone; %d reads%n",
                SEED, events, sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], sums[7], backend.reads());
        assertThat(sums[0]).isPositive();
        assertThat(sums[1]).isPositive();
        assertThat(sums[6]).isPositive();
        assertThat(List.of(sums[2], sums[3], sums[4])).containsOnly(0L);
        await().atMost(Duration.ofSeconds(60)).until(() -> redis.names().isEmpty());
    }

    private void happen(Event event) throws Exception {
        events.merge(event, 1, Integer::sum);
        Member member = members.get(random.nextInt(MEMBERS));
        switch (event) {
            case KILL -> {
                ClusterRedis.send("KILL", member.process.pid());
                member.awaitEnd();
                add(member.counts(), true);
                replace(member, member.release);
            }
            case STOP -> {
                ClusterRedis.send("STOP", member.process.pid());
                long since = System.nanoTime();
                long nanos = TimeUnit.MILLISECONDS.toNanos(2 * LEASE_MILLIS + random.nextInt((int) LEASE_MILLIS));
                await().until(() -> System.nanoTime() - since > nanos);
                ClusterRedis.send("CONT", member.process.pid());
            }
            case FAIL -> {
                backend.failing(random.nextBoolean() ? 100 : 30);
                long before = backend.reads();
                await().until(() -> backend.reads() > before + 50);
                backend.failing(0);
            }
            case DEPLOY -> {
                int release = 1 + ++deployed % 2; // one process at a time, so that mostly both run side by side
                Member oldest = members.get(deployed % MEMBERS);
                end(oldest);
                replace(oldest, release);
                Member newest = members.get(deployed % MEMBERS);
                await().atMost(Duration.ofSeconds(60)).until(() -> newest.shared() > 20); // beside the others
            }
        }
        awaitAnswersOfAll();
    }

    private void end(Member member) throws Exception {
        member.orders.println("end");
        member.awaitEnd();
        add(member.counts(), false);
    }

    private void replace(Member member, int release) throws IOException {
        members.set(members.indexOf(member), new Member(release));
    }

    /** Callers that were in the middle of a call when their process was killed do not hang. */
    private void add(String[] counts, boolean killed) {
        assertThat(killed || counts.length == sums.length + 1).isTrue();
        for (int i = 0; i < sums.length; i++) {
            sums[i] += i == 4 && killed ? 0 : Long.parseLong(counts[i]);
        }
    }

    private void awaitAnswersOfAll() {
        for (Member member : members) {
            long before = member.answers();
            await().atMost(Duration.ofSeconds(60)).until(() -> member.answers() > before);
        }
    }

    private final class Member {

        private final int release;
        private final Process process;
        private final PrintStream orders;
        private final Thread reader;
        private volatile String last = "";

        Member(int release) throws IOException {
            this.release = release;
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-Xmx128m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            ReleaseMember.class.getName(),
                            Integer.toString(redis.port()),
                            backend.url(),
                            Integer.toString(release),
                            Long.toString(LEASE_MILLIS),
                            Integer.toString(CALLERS_EACH))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
            reader = new Thread(this::read);
            reader.start();
        }

        private void read() {
            try (BufferedReader lines = process.inputReader()) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.split(" ", -1).length >= sums.length) { // the line of a process that was killed may be cut
                        last = line;
                    }
                }
            } catch (IOException e) {
                throw new IllegalStateException("The output of a process cannot be read", e);
            }
        }

        String[] counts() {
            return last.isEmpty() ? "0 0 0 0 0 0 0 0".split(" ", -1) : last.split(" ", -1);
        }

        long answers() {
            return Long.parseLong(counts()[0]);
        }

        /** How many calls it has led, and how many results it has taken. */
        long shared() {
            return Long.parseLong(counts()[5]) + Long.parseLong(counts()[6]);
        }

        void awaitEnd() throws InterruptedException {
            process.waitFor();
            reader.join();
        }
    }
}
