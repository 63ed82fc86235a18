package io.github.collapseexecutor.sample.groupcommit;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** Puts the running shop under load over HTTP, and compares what was acknowledged with what its database holds afterwards. */
@Component
@Lazy
class ShopUnderLoad implements AutoCloseable {

    /** So many pieces of each product that none runs out, and that all together are far below what a number can hold. */
    private static final int ENOUGH = 1_000_000;

    // immutable
    private final Environment environment;
    private final Shop shop;
    private final JdbcTemplate jdbc;
    private final StatementCounts counts;
    private final Disks disks;
    private final EventLoopGroup thread = new NioEventLoopGroup(1, new DefaultThreadFactory("users", true));

    /** What users do. */
    interface Load {

        /** Returns when the last of them was answered. */
        void by(LoadUsers users) throws InterruptedException;
    }

    ShopUnderLoad(Environment environment, Shop shop, JdbcTemplate jdbc, StatementCounts counts, Disks disks) {
        this.environment = environment;
        this.shop = shop;
        this.jdbc = jdbc;
        this.counts = counts;
        this.disks = disks;
    }

    /** Has the shop compiled. */
    void warmUp(LoadScenario scenario, LoadScenario.Way way, int users, Duration duration) throws InterruptedException {
        measure(disks.all().get(0), scenario, way, load -> load.ask(users, duration));
    }

    /** Puts a restocked shop under load. */
    LoadMeasurement measure(Disk disk, LoadScenario scenario, LoadScenario.Way way, Load load)
            throws InterruptedException {
        disks.use(disk);
        shop.restock(ENOUGH);
        long stock = shop.stock();
        InetSocketAddress address =
                new InetSocketAddress("localhost", environment.getRequiredProperty("local.server.port", Integer.class));
        LoadUsers users = new LoadUsers(thread.next(), address, scenario, way);
        long connections = counts.connections();
        long statements = counts.statements();
        long commits = counts.commits();
        long begin = System.nanoTime();
        load.by(users);
        long nanos = System.nanoTime() - begin;
        connections = counts.connections() - connections;
        statements = counts.statements() - statements;
        commits = counts.commits() - commits;
        return new LoadMeasurement(
                disk,
                scenario,
                way,
                users.users(),
                users.acknowledged().size(),
                users.failed(),
                users.firstFailure(),
                nanos,
                users.answers(),
                connections,
                statements,
                commits,
                way == LoadScenario.Way.NOTHING ? 0 : mistakes(scenario, users.acknowledged(), users.failed(), stock));
    }

    /**
     * What was acknowledged and is not there or was acknowledged twice, what is there though nobody was told of it, and pieces
     * too many or too few. A request that failed may have left its row.
     */
    private long mistakes(LoadScenario scenario, List<String> acknowledged, long failed, long initialStock) {
        List<String> rows = jdbc.queryForList(
                scenario.isOrder() ? "SELECT id FROM " + shop.order() : "SELECT order_no FROM order_info",
                String.class);
        Set<String> there = new HashSet<>(rows);
        long twice = (long) rows.size() - there.size();
        long missing = acknowledged.stream().filter(id -> !there.remove(id)).count();
        long unasked = Math.max(0, there.size() - failed);
        return twice + missing + unasked + Math.abs(initialStock - shop.stock() - shop.sold());
    }

    /** Leaves a shop behind that has nothing of the load any more. */
    void tidyUp() {
        shop.restock(ENOUGH);
    }

    @Override
    public void close() {
        Future<?> unused = thread.shutdownGracefully();
    }
}
