package io.github.collapseexecutor.sample.rpcmerge;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/** Threads that call a server, each one operation after another, and are timed. */
final class SendingLoad {

    private static final String ASKED = "lockKeys";
    /** The part of a run before it counts. */
    private static final double WARM_UP = 0.25;

    // immutable
    private final RpcClient client;
    private final SocketAddress server;

    // mutable, set by the thread that measures before the others are to see it
    private volatile long begin = Long.MAX_VALUE;
    private volatile boolean over;

    private SendingLoad(RpcClient client, SocketAddress server) {
        this.client = client;
        this.server = server;
    }

    static SendingFigures run(SendingWay way, int threads, Duration duration) throws Exception {
        RpcOptions options = RpcOptions.defaults();
        try (RpcServer server = RpcServer.builder(options)
                        .sender(way::ofReplies)
                        .handlerWithoutThreads(RpcMergeSample.PRICE, SendingLoad::answer)
                        .handlerWithoutThreads(RpcMergeSample.STOCK, SendingLoad::answer)
                        .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                RpcClient client = new RpcClient(options, way::ofRequests)) {
            return new SendingLoad(client, server.address()).run(server, threads, duration);
        }
    }

    private static CompletableFuture<Long> answer(String asked) {
        return CompletableFuture.completedFuture((long) asked.length());
    }

    private SendingFigures run(RpcServer answering, int threads, Duration duration) throws Exception {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Histogram>> latencies = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                latencies.add(callers.submit(this::callUntilOver));
            }
            Thread.sleep((long) (duration.toMillis() * WARM_UP));
            long frames = client.framesSent() + answering.framesSent();
            long processor = system.getProcessCpuTime();
            begin = System.nanoTime();
            Thread.sleep(duration.toMillis());
            over = true;
            frames = client.framesSent() + answering.framesSent() - frames;
            processor = system.getProcessCpuTime() - processor;
            Histogram all = new Histogram(3);
            for (Future<Histogram> each : latencies) {
                all.add(each.get());
            }
            double calls = 2.0 * all.getTotalCount();
            return new SendingFigures(
                    all.getTotalCount(),
                    all.getMean() / 1e3,
                    all.getValueAtPercentile(50) / 1e3,
                    all.getValueAtPercentile(99) / 1e3,
                    frames / calls,
                    processor / 1e3 / calls);
        } finally {
            over = true;
            callers.shutdown();
        }
    }

    private Histogram callUntilOver() throws Exception {
        Histogram latencies = new Histogram(3);
        while (!over) {
            long from = System.nanoTime();
            expect(client.call(server, RpcMergeSample.PRICE, ASKED).get());
            expect(client.call(server, RpcMergeSample.STOCK, ASKED).get());
            if (from - begin >= 0) {
                latencies.recordValue(System.nanoTime() - from);
            }
        }
        return latencies;
    }

    private static void expect(long answer) {
        if (answer != ASKED.length()) {
            throw new IllegalStateException("The answer is " + answer + ", but must be " + ASKED.length());
        }
    }
}
