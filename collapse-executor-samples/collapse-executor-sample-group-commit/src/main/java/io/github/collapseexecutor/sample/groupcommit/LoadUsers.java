package io.github.collapseexecutor.sample.groupcommit;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Users with a connection each, and one thread for all of them, each of whom sends a request as soon as the one before is
 * answered. They take what they need of the processors from the shop, so that no more is done here than HTTP asks for.
 */
final class LoadUsers {

    private static final int LONGEST_ANSWER = 64 * 1024;
    private static final int SECONDS_AT_MOST = 60;
    private static final Duration LITTLE_LONGER = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

    // immutable
    private final EventLoop thread;
    private final InetSocketAddress shop;
    private final LoadScenario scenario;
    private final LoadScenario.Way way;

    // mutable, confined to the thread until all users have left
    private final List<String> acknowledged = new ArrayList<>();
    private final Histogram answers = new Histogram(LONGEST_WAIT.toNanos(), 3); // until the last interval was taken
    private final Histogram recent = new Histogram(LONGEST_WAIT.toNanos(), 3); // since then
    private long failed;
    private @Nullable String firstFailure;
    private int active;

    // mutable, confined to the thread that asks
    private int users;

    LoadUsers(EventLoop thread, InetSocketAddress shop, LoadScenario scenario, LoadScenario.Way way) {
        this.thread = thread;
        this.shop = shop;
        this.scenario = scenario;
        this.way = way;
    }

    /** Returns when every user has been answered for the last time, after that time. */
    void ask(int users, Duration duration) throws InterruptedException {
        long end = System.nanoTime() + duration.toNanos();
        enter(users, Duration.ZERO, () -> new Stay(end, Long.MAX_VALUE)).await();
    }

    /** Returns when every user has been answered so many times. */
    void ask(int users, int requests) throws InterruptedException {
        long never = System.nanoTime() + Long.MAX_VALUE / 2;
        enter(users, Duration.ZERO, () -> new Stay(never, requests)).await();
    }

    /**
     * Has users come one after another, at equal distances in time, all of whom stay until the last has come, and a little longer,
     * so that the last interval is one of all users.
     *
     * @return open until every user has been answered for the last time
     */
    CountDownLatch rise(int users, Duration rise) {
        long end = System.nanoTime() + rise.plus(LITTLE_LONGER).toNanos();
        return enter(users, rise, () -> new Stay(end, Long.MAX_VALUE));
    }

    private CountDownLatch enter(int users, Duration rise, Supplier<Stay> stay) {
        this.users = users;
        CountDownLatch present = new CountDownLatch(users);
        for (int user = 0; user < users; user++) {
            Stay one = stay.get();
            Future<?> unused =
                    thread.schedule(() -> connect(one, present), rise.toNanos() * user / users, TimeUnit.NANOSECONDS);
        }
        return present;
    }

    /** Returns what was answered since the last time that this was asked for. */
    LoadInterval takeInterval() throws InterruptedException {
        return thread.submit(() -> {
                    LoadInterval interval = new LoadInterval(active, recent.copy());
                    addRecent();
                    return interval;
                })
                .sync()
                .getNow();
    }

    private void addRecent() {
        answers.add(recent);
        recent.reset();
    }

    private void connect(Stay stay, CountDownLatch present) {
        new Bootstrap()
                .group(thread)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new ReadTimeoutHandler(SECONDS_AT_MOST),
                                        new HttpClientCodec(),
                                        new HttpObjectAggregator(LONGEST_ANSWER),
                                        new User(stay, present));
                    }
                })
                .connect(shop)
                .addListener((ChannelFutureListener) connected -> {
                    if (!connected.isSuccess()) {
                        failed("no connection: " + connected.cause());
                        present.countDown();
                    }
                });
    }

    /** The names of rows, or the numbers of orders, that were acknowledged. */
    List<String> acknowledged() {
        return acknowledged;
    }

    private void failed(String why) {
        failed++;
        if (firstFailure == null) {
            firstFailure = why;
        }
    }

    long failed() {
        return failed;
    }

    /** What the first of the failures was; null if nothing failed. */
    @Nullable String firstFailure() {
        return firstFailure;
    }

    /** How many users there were at most. */
    int users() {
        return users;
    }

    /** What the answers took, in nanoseconds; once all users have left. */
    Histogram answers() {
        addRecent();
        return answers;
    }

    /** How long a user stays. */
    private static final class Stay {

        // immutable
        private final long end;

        // mutable, confined to the thread
        private long requests;

        Stay(long end, long requests) {
            this.end = end;
            this.requests = requests;
        }

        boolean isOver() {
            return requests == 0 || System.nanoTime() - end >= 0;
        }

        void ask() {
            requests--;
        }
    }

    /** One user, for as long as the connection lasts. */
    private final class User extends SimpleChannelInboundHandler<FullHttpResponse> {

        // immutable
        private final Stay stay;
        private final CountDownLatch present;

        // mutable, confined to the thread
        private String id = "";
        private long asked;
        private boolean waits;
        private @Nullable Throwable broken;

        User(Stay stay, CountDownLatch present) {
            this.stay = stay;
            this.present = present;
        }

        @Override
        public void channelActive(ChannelHandlerContext connection) {
            active++;
            ask(connection);
        }

        private void ask(ChannelHandlerContext connection) {
            stay.ask();
            id = LoadScenario.newId();
            FullHttpRequest request = new DefaultFullHttpRequest(
                    HttpVersion.HTTP_1_1, HttpMethod.POST, scenario.request(way, id), Unpooled.EMPTY_BUFFER);
            request.headers().set(HttpHeaderNames.HOST, shop.getHostString()).set(HttpHeaderNames.CONTENT_LENGTH, 0);
            waits = true;
            asked = System.nanoTime();
            ChannelFuture unused = connection.writeAndFlush(request, connection.voidPromise());
        }

        @Override
        protected void channelRead0(ChannelHandlerContext connection, FullHttpResponse response) {
            long now = System.nanoTime();
            waits = false;
            recent.recordValue(now - asked);
            if (response.status().equals(HttpResponseStatus.OK)) {
                acknowledged.add(scenario.isOrder() ? response.content().toString(StandardCharsets.US_ASCII) : id);
            } else {
                failed("status " + response.status() + ", " + response.content().toString(StandardCharsets.UTF_8));
            }
            if (!stay.isOver() && HttpUtil.isKeepAlive(response)) {
                ask(connection);
            } else {
                ChannelFuture unused = connection.close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext connection, Throwable broken) {
            this.broken = broken;
            ChannelFuture unused = connection.close(); // and channelInactive says what becomes of the user
        }

        /** A user whose connection is closed before the end comes back with another. */
        @Override
        public void channelInactive(ChannelHandlerContext connection) {
            active--;
            if (waits) {
                failed("the connection was closed without an answer" + (broken == null ? "" : ": " + broken));
            }
            if (stay.isOver()) {
                present.countDown();
            } else {
                connect(stay, present);
            }
        }
    }
}
