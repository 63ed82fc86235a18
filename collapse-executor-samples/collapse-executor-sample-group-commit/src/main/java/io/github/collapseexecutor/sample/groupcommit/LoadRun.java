package io.github.collapseexecutor.sample.groupcommit;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * Puts the running shop under load over HTTP: every scenario with every number of users, in one way after the other.
 * After each, it counts what the database holds; at the end, it draws a page.
 */
@Component
@Lazy
class LoadRun {

    /** So many pieces of each product that none runs out, and that all together are far below what a number can hold. */
    private static final int ENOUGH = 1_000_000;

    /** Of each way of each scenario, so that all of the shop is compiled before anything is measured. */
    private static final Duration WARM_UP = Duration.ofSeconds(5);

    // immutable
    private final Environment environment;
    private final Shop shop;
    private final JdbcTemplate jdbc;
    private final StatementCounts counts;
    private final JdbcConnectionDetails database;
    private final int[] users;
    private final Duration duration;
    private final Path page;

    LoadRun(
            Environment environment,
            Shop shop,
            JdbcTemplate jdbc,
            StatementCounts counts,
            JdbcConnectionDetails database,
            @Value("${load.users}") int[] users,
            @Value("${load.duration}") Duration duration,
            @Value("${load.page}") Path page) {
        for (int count : users) {
            if (count < 1) {
                throw new IllegalArgumentException("load.users holds " + count + ": each must be at least 1");
            }
        }
        this.environment = environment;
        this.shop = shop;
        this.jdbc = jdbc;
        this.counts = counts;
        this.database = database;
        this.users = users;
        this.duration = duration;
        this.page = page;
    }

    /** Returns whether everything that was acknowledged is there, once, and stock and orders add up. */
    boolean run() throws IOException, InterruptedException {
        InetSocketAddress address =
                new InetSocketAddress("localhost", environment.getRequiredProperty("local.server.port", Integer.class));
        EventLoopGroup thread = new NioEventLoopGroup(1, new DefaultThreadFactory("users", true));
        try {
            return run(thread.next(), address);
        } finally {
            Future<?> unused = thread.shutdownGracefully();
        }
    }

    private boolean run(EventLoop thread, InetSocketAddress address) throws IOException, InterruptedException {
        List<LoadMeasurement> measurements = new ArrayList<>();
        int total = users.length
                * Stream.of(LoadScenario.values())
                        .mapToInt(scenario -> scenario.ways().size())
                        .sum();
        Duration warmUp = duration.compareTo(WARM_UP) < 0 ? duration : WARM_UP;
        for (LoadScenario scenario : LoadScenario.values()) {
            for (LoadScenario.Way way : scenario.ways()) {
                measure(new LoadUsers(thread, address, scenario, way), scenario, way, users[users.length - 1], warmUp);
            }
        }
        for (LoadScenario scenario : LoadScenario.values()) {
            for (int count : users) {
                for (LoadScenario.Way way : scenario.ways()) {
                    LoadMeasurement measurement =
                            measure(new LoadUsers(thread, address, scenario, way), scenario, way, count, duration);
                    measurements.add(measurement);
                    System.out.println(progress(measurements.size(), total, measurement));
                }
            }
        }
        shop.restock(ENOUGH);
        Path folder = page.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.writeString(page, LoadPage.of(database.getJdbcUrl(), duration, measurements));
        long mistakes =
                measurements.stream().mapToLong(LoadMeasurement::mistakes).sum();
        System.out.println((mistakes == 0
                        ? "Every acknowledged row and order is there, once, and stock and orders add up."
                        : mistakes + " MISTAKES: see the page.")
                + " Charts: " + page.toAbsolutePath());
        return mistakes == 0;
    }

    private LoadMeasurement measure(
            LoadUsers load, LoadScenario scenario, LoadScenario.Way way, int count, Duration time)
            throws InterruptedException {
        shop.restock(ENOUGH);
        long stock = shop.stock();
        long statements = counts.statements();
        long commits = counts.commits();
        long nanos = load.ask(count, time);
        statements = counts.statements() - statements;
        commits = counts.commits() - commits;
        return new LoadMeasurement(
                scenario,
                way,
                count,
                load.acknowledged().size(),
                load.failed(),
                nanos,
                load.percentileNanos(50),
                load.percentileNanos(99),
                statements,
                commits,
                way == LoadScenario.Way.NOTHING ? 0 : mistakes(scenario, load.acknowledged(), stock));
    }

    /** What was acknowledged and is not there or was acknowledged twice, and pieces too many or too few. */
    private long mistakes(LoadScenario scenario, List<String> acknowledged, long initialStock) {
        List<String> rows = jdbc.queryForList(
                scenario.isOrder() ? "SELECT id FROM " + shop.order() : "SELECT order_no FROM order_info",
                String.class);
        Set<String> there = new HashSet<>(rows);
        long twice = (long) rows.size() - there.size();
        long missing = acknowledged.stream().filter(id -> !there.remove(id)).count();
        return twice + missing + Math.abs(initialStock - shop.stock() - shop.sold());
    }

    private static String progress(int done, int total, LoadMeasurement measurement) {
        return String.format(
                Locale.ROOT,
                "[%2d/%d] %-23s %-15s %3d users: %6.0f/s, p50 %6.1f ms, p99 %6.1f ms, %5.1f per commit, %4.2f statements"
                        + " each, %d failed, %d mistakes",
                done,
                total,
                measurement.scenario().title(),
                measurement.way().title(),
                measurement.users(),
                measurement.perSecond(),
                measurement.p50Millis(),
                measurement.p99Millis(),
                measurement.requestsPerCommit(),
                measurement.statementsPerRequest(),
                measurement.failed(),
                measurement.mistakes());
    }
}
