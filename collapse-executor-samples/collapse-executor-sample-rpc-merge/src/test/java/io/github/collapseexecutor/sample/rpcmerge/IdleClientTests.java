package io.github.collapseexecutor.sample.rpcmerge;

import static io.github.collapseexecutor.sample.rpcmerge.Calls.ECHO;
import static io.github.collapseexecutor.sample.rpcmerge.Calls.answer;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * A client and a server whose connection is open, but that have nothing to do, do nothing: the process uses no more
 * processor time than without them, where the JVM and what runs the tests have ticks of their own, and none of their
 * threads runs even once.
 *
 * <p>{@code idle.seconds} says for how long that is watched.
 */
class IdleClientTests {

    private static final Duration WINDOW = Duration.ofSeconds(Long.getLong("idle.seconds", 1));
    private static final Duration MOST = Duration.ofMillis(100);
    /** What the names of threads begin with that belong to a client, a server or an executor. */
    private static final List<String> OURS = List.of(RpcClient.THREADS, RpcServer.THREADS, "collapse-executor");

    private static final int ATTEMPTS = 10;
    private static final int CALLERS = 16;
    private static final int CALLS_OF_EACH = 200;

    private interface Use {

        void with(RpcServer server, RpcClient client) throws Exception;
    }

    @Test
    void nothingRunsAfterLoadWhileTheConnectionIsOpen() throws Exception {
        afterLoad((server, client) -> {}); // lets the compiler do its work
        Duration withoutThem = watch().processor();
        afterLoad((server, client) -> {
            assertThat(processorTimesOfOurs().keySet())
                    .anyMatch(name -> name.startsWith(RpcClient.THREADS))
                    .anyMatch(name -> name.startsWith(RpcServer.THREADS));
            Duration most = withoutThem.plus(MOST);
            Window window = watch();
            for (int attempt = 1; attempt < ATTEMPTS && !window.isIdle(most); attempt++) {
                window = watch(); // the compiler may still have been at work
            }
            assertThat(window.threads())
                    .as("nanoseconds of each thread that ran in %s", WINDOW)
                    .isEmpty();
            assertThat(window.processor())
                    .as("processor time in %s, which was %s without them", WINDOW, withoutThem)
                    .isLessThan(most);
            assertThat(answer(client.call(server.address(), ECHO, "still open")))
                    .isEqualTo("still open");
        });
    }

    private static void afterLoad(Use use) throws Exception {
        RpcOptions options = RpcOptions.defaults();
        try (RpcServer server = RpcServer.builder(options)
                        .handler(ECHO, text -> text, 2)
                        .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                RpcClient client = new RpcClient(options)) {
            load(client, server);
            // The threads of a handler end when they have had nothing to do for a second.
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() ->
                            processorTimesOfOurs().keySet().stream().noneMatch(name -> name.contains(ECHO.name())));
            use.with(server, client);
        }
    }

    private static void load(RpcClient client, RpcServer server) throws Exception {
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            callers.add(done);
            new Thread(() -> {
                        try {
                            for (int i = 0; i < CALLS_OF_EACH; i++) {
                                assertThat(answer(client.call(server.address(), ECHO, "call")))
                                        .isEqualTo("call");
                            }
                            done.complete(null);
                        } catch (Throwable failed) {
                            done.completeExceptionally(failed);
                        }
                    })
                    .start();
        }
        for (CompletableFuture<Void> caller : callers) {
            answer(caller);
        }
    }

    /** What the whole process used of the processors, and each thread of ours that ran at all. */
    private record Window(Duration processor, Map<String, Long> threads) {

        boolean isIdle(Duration most) {
            return threads.isEmpty() && processor.compareTo(most) < 0;
        }
    }

    private static Window watch() throws Exception {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        Map<String, Long> before = processorTimesOfOurs();
        long processor = system.getProcessCpuTime();
        Thread.sleep(WINDOW.toMillis());
        processor = system.getProcessCpuTime() - processor;
        Map<String, Long> used = processorTimesOfOurs();
        used.replaceAll((thread, time) -> time - before.getOrDefault(thread, 0L));
        used.values().removeIf(time -> time == 0);
        return new Window(Duration.ofNanos(processor), used);
    }

    private static Map<String, Long> processorTimesOfOurs() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Map<String, Long> times = new TreeMap<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (OURS.stream().anyMatch(thread.getName()::startsWith)) {
                times.merge(thread.getName(), threads.getThreadCpuTime(thread.getId()), Long::sum);
            }
        }
        return times;
    }
}
