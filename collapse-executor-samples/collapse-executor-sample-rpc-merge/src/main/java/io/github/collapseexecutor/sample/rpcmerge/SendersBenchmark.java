package io.github.collapseexecutor.sample.rpcmerge;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long a call of each of two kinds takes, one after the other: with one client for both kinds, or with one for each. A client
 * has a sender, a thread and a connection.
 *
 * <p>After each iteration the calls are counted where they were made and where they were answered.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@Threads(8)
public class SendersBenchmark {

    private static final String ASKED = "lockKeys";

    // immutable
    private final LongAdder asked = new LongAdder();
    private final LongAdder prices = new LongAdder();
    private final LongAdder stocks = new LongAdder();

    // mutable, set by the harness before anything is called
    /** A {@link SendingWay}. */
    @Param({"MERGED", "UNMERGED", "POLLED"})
    public String way = SendingWay.MERGED.name();

    /** Clients: 1 for both kinds, or 2. */
    @Param({"2", "1"})
    public int senders = 1;

    // mutable, set before callers begin and read by them
    private @Nullable RpcServer server;
    private @Nullable RpcClient ofPrices;
    private @Nullable RpcClient ofStocks;

    /** Starts the server and the clients. */
    @Setup(Level.Trial)
    public void start() {
        SendingWay chosen = SendingWay.valueOf(way);
        RpcOptions options = RpcOptions.defaults();
        server = RpcServer.builder(options)
                .sender(chosen::ofReplies)
                .handlerWithoutThreads(RpcMergeSample.PRICE, product -> answer(prices, product.length()))
                .handlerWithoutThreads(RpcMergeSample.STOCK, product -> answer(stocks, -product.length()))
                .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        ofPrices = new RpcClient(options, chosen::ofRequests);
        ofStocks = senders == 1 ? ofPrices : new RpcClient(options, chosen::ofRequests);
    }

    private static CompletableFuture<Long> answer(LongAdder answered, long value) {
        answered.increment();
        return CompletableFuture.completedFuture(value);
    }

    /** One operation of one caller. */
    @Benchmark
    public void callBothKinds() throws Exception {
        asked.increment();
        call(ofPrices, RpcMergeSample.PRICE, ASKED.length());
        call(ofStocks, RpcMergeSample.STOCK, -ASKED.length());
    }

    SocketAddress address() {
        return requireNonNull(server).address();
    }

    private void call(@Nullable RpcClient client, MessageType<String, Long> kind, long expected) throws Exception {
        long answer = requireNonNull(client).call(address(), kind, ASKED).get();
        if (answer != expected) {
            throw new IllegalStateException("The " + kind + " is " + answer + ", but must be " + expected);
        }
    }

    /** Checks that no call was lost or made twice; no caller is between two calls. */
    @TearDown(Level.Iteration)
    public void check() {
        if (asked.sum() != prices.sum() || asked.sum() != stocks.sum()) {
            throw new IllegalStateException("Of each kind " + asked + " calls were made, but the server has answered "
                    + prices + " for prices and " + stocks + " for stocks");
        }
    }

    /** Stops all. */
    @TearDown(Level.Trial)
    public void stop() {
        requireNonNull(ofPrices).close();
        requireNonNull(ofStocks).close(); // a second time, if it is the same one
        requireNonNull(server).close();
    }
}
