package io.github.collapseexecutor.sample.rpcmerge;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A shop that is asked for prices and stocks by many threads at the same time, and says how few frames that took. */
public final class RpcMergeSample {

    static final MessageType<String, Long> PRICE = new MessageType<>(1, "price", Codec.UTF_8, Codec.INT_64);
    static final MessageType<String, Long> STOCK = new MessageType<>(2, "stock", Codec.UTF_8, Codec.INT_64);

    private static final int THREADS = 64;
    private static final int CALLS_PER_THREAD = 100;

    private RpcMergeSample() {}

    /**
     * Runs the sample.
     *
     * @param args none
     */
    public static void main(String[] args) throws Exception {
        RpcOptions options = RpcOptions.defaults();
        try (RpcServer server = RpcServer.builder(options)
                        .handler(PRICE, product -> 100L + product.length(), 4)
                        .handlerWithoutThreads(
                                STOCK, product -> CompletableFuture.completedFuture((long) product.length()))
                        .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                RpcClient client = new RpcClient(options)) {
            int wrong = callFromManyThreads(client, server.address());
            int calls = 2 * THREADS * CALLS_PER_THREAD;
            System.out.printf(
                    Locale.ROOT,
                    "%d threads made %d calls: %d frames of requests, %d frames of answers, %d wrong answers%n",
                    THREADS,
                    calls,
                    client.framesSent(),
                    server.framesSent(),
                    wrong);
        }
    }

    private static int callFromManyThreads(RpcClient client, SocketAddress server) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Integer>> wrong = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                String product = "apple ".repeat(thread);
                wrong.add(threads.submit(() -> call(client, server, product)));
            }
            int sum = 0;
            for (Future<Integer> each : wrong) {
                sum += each.get();
            }
            return sum;
        } finally {
            threads.shutdown();
        }
    }

    private static int call(RpcClient client, SocketAddress server, String product)
            throws ExecutionException, InterruptedException {
        int wrong = 0;
        for (int i = 0; i < CALLS_PER_THREAD; i++) {
            CompletableFuture<Long> price = client.call(server, PRICE, product);
            CompletableFuture<Long> stock = client.call(server, STOCK, product);
            wrong += price.get() == 100 + product.length() ? 0 : 1;
            wrong += stock.get() == product.length() ? 0 : 1;
        }
        return wrong;
    }
}
