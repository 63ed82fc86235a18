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
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;

/**
 * Users with a connection each, and one thread for all of them, each of whom sends a request as soon as the one before is
 * answered. They take what they need of the processors from the shop, so that no more is done here than HTTP asks for.
 */
final class LoadUsers {

    private static final int LONGEST_ANSWER = 64 * 1024;
    private static final int SECONDS_AT_MOST = 60;

    // immutable
    private final EventLoop thread;
    private final InetSocketAddress shop;
    private final LoadScenario scenario;
    private final LoadScenario.Way way;

    // mutable, confined to the thread until all users have left
    private final List<String> acknowledged = new ArrayList<>();
    private final Histogram nanos = new Histogram(Duration.ofMinutes(10).toNanos(), 3);
    private long failed;

    LoadUsers(EventLoop thread, InetSocketAddress shop, LoadScenario scenario, LoadScenario.Way way) {
        this.thread = thread;
        this.shop = shop;
        this.scenario = scenario;
        this.way = way;
    }

    /** Returns when every user has been answered for the last time; how long that took, in nanoseconds. */
    long ask(int users, Duration duration) throws InterruptedException {
        CountDownLatch present = new CountDownLatch(users);
        long begin = System.nanoTime();
        for (int user = 0; user < users; user++) {
            connect(begin + duration.toNanos(), present);
        }
        present.await();
        return System.nanoTime() - begin;
    }

    private void connect(long end, CountDownLatch present) {
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
                                        new User(end, present));
                    }
                })
                .connect(shop)
                .addListener((ChannelFutureListener) connected -> {
                    if (!connected.isSuccess()) {
                        failed++;
                        present.countDown();
                    }
                });
    }

    /** The names of rows, or the numbers of orders, that were acknowledged. */
    List<String> acknowledged() {
        return acknowledged;
    }

    long failed() {
        return failed;
    }

    long percentileNanos(double percent) {
        return nanos.getValueAtPercentile(percent);
    }

    /** One user, for as long as the connection lasts. */
    private final class User extends SimpleChannelInboundHandler<FullHttpResponse> {

        // immutable
        private final long end;
        private final CountDownLatch present;

        // mutable, confined to the thread
        private String id = "";
        private long asked;
        private boolean waits;

        User(long end, CountDownLatch present) {
            this.end = end;
            this.present = present;
        }

        @Override
        public void channelActive(ChannelHandlerContext connection) {
            ask(connection);
        }

        private void ask(ChannelHandlerContext connection) {
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
            nanos.recordValue(now - asked);
            if (response.status().equals(HttpResponseStatus.OK)) {
                acknowledged.add(scenario.isOrder() ? response.content().toString(StandardCharsets.US_ASCII) : id);
            } else {
                failed++;
            }
            if (now < end && HttpUtil.isKeepAlive(response)) {
                ask(connection);
            } else {
                ChannelFuture unused = connection.close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext connection, Throwable broken) {
            ChannelFuture unused = connection.close(); // and channelInactive says what becomes of the user
        }

        /** A user whose connection is closed before the end comes back with another. */
        @Override
        public void channelInactive(ChannelHandlerContext connection) {
            if (waits) {
                failed++;
            }
            if (System.nanoTime() < end) {
                connect(end, present);
            } else {
                present.countDown();
            }
        }
    }
}
