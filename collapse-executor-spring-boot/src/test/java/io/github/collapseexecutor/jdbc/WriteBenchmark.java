package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * Writes one by one beside writes as a group, on a MariaDB that syncs for every commit: in turn, in one run, over the same
 * pool. It is no test of the build, which does not run it by its name; docs/writes.md says how to.
 */
class WriteBenchmark {

    private static final int ROUNDS = Integer.getInteger("rounds", 3);
    private static final long MILLISECONDS = Integer.getInteger("milliseconds", 4_000);
    private static final int CONNECTIONS = 40;

    private static final String INSERT =
            "INSERT INTO order_info (order_no, address_id, merchant_id, user_id, order_amount) VALUES (?, ?, ?, ?, ?)";
    private static final String DEDUCT =
            "UPDATE hot_stock SET balance = balance - ? WHERE goods_id = ? AND balance >= ?";

    /** What a way of writing came to in one round. */
    private record Round(double perSecond, List<Long> sortedNanos) {

        double milliseconds(double quantile) {
            return sortedNanos.get((int) (quantile * (sortedNanos.size() - 1))) / 1e6;
        }
    }

    @Test
    void groupCommitBesideSingleRows() throws Exception {
        Database.MARIADB.execute(
                "DROP TABLE IF EXISTS order_info",
                "CREATE TABLE order_info (id BIGINT AUTO_INCREMENT PRIMARY KEY, order_no CHAR(36) NOT NULL UNIQUE, "
                        + "address_id BIGINT, merchant_id BIGINT, user_id BIGINT, order_amount DECIMAL(12, 2))");
        try (HikariDataSource pool = Database.MARIADB.pool(CONNECTIONS)) {
            GroupCommit commits = new GroupCommit(pool);
            RowStatement insert = RowStatement.of(INSERT);
            AtomicLong numbers = new AtomicLong();
            Callable<Boolean> single = () -> update(pool, INSERT, row(numbers)) == 1;
            Callable<Boolean> group =
                    () -> commits.execute(insert, row(numbers)).updateCount() == 1;
            for (int threads : new int[] {50, 400}) {
                compare("insert, " + threads + " threads", threads, single, group);
            }
            assertThat(Database.MARIADB.query("SELECT COUNT(*) FROM order_info"))
                    .containsExactly(String.valueOf(numbers.get()));
        }
    }

    @Test
    void mergedDeductionsBesidePlainOnes() throws Exception {
        long stock = 1_000_000_000;
        Database.MARIADB.execute(
                "DROP TABLE IF EXISTS hot_stock",
                "CREATE TABLE hot_stock (goods_id BIGINT PRIMARY KEY, balance BIGINT NOT NULL)",
                "INSERT INTO hot_stock VALUES (1, " + stock + ")");
        try (HikariDataSource pool = Database.MARIADB.pool(CONNECTIONS)) {
            MergedUpdates<Long, Integer> updates = new MergedUpdates<>(
                    pool,
                    MergedUpdate.of(
                            DEDUCT,
                            (statement, goodsId, count) -> {
                                statement.setInt(1, count);
                                statement.setLong(2, goodsId);
                                statement.setInt(3, count);
                            },
                            Integer::sum));
            AtomicLong sold = new AtomicLong();
            Callable<Boolean> plain = () -> sold.addAndGet(update(pool, DEDUCT, 1, 1L, 1)) > 0;
            Callable<Boolean> merged = () -> updates.execute(1L, 1) && sold.incrementAndGet() > 0;
            compare("one hot stock row, 200 threads", 200, plain, merged);
            assertThat(Database.MARIADB.query("SELECT balance FROM hot_stock"))
                    .containsExactly(String.valueOf(stock - sold.get()));
        }
    }

    private static Object[] row(AtomicLong numbers) {
        return new Object[] {String.format("%036d", numbers.incrementAndGet()), 1L, 2L, 3L, 123_123L};
    }

    private static int update(DataSource pool, String sql, Object... values) throws Exception {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            ParameterSetter.of(values).set(statement);
            return statement.executeUpdate();
        }
    }

    private static void compare(String work, int threads, Callable<Boolean> alone, Callable<Boolean> together)
            throws Exception {
        run(threads, MILLISECONDS / 2, alone);
        run(threads, MILLISECONDS / 2, together);
        List<Double> ratios = new ArrayList<>();
        List<Double> tails = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            Round first = run(threads, MILLISECONDS, round % 2 == 0 ? alone : together);
            Round second = run(threads, MILLISECONDS, round % 2 == 0 ? together : alone);
            Round one = round % 2 == 0 ? first : second;
            Round many = round % 2 == 0 ? second : first;
            print(work + ": one by one", one);
            print(work + ": together", many);
            ratios.add(many.perSecond() / one.perSecond());
            tails.add(many.milliseconds(0.99) / one.milliseconds(0.99));
        }
        System.out.printf(
                Locale.ROOT,
                "%-50s %8.1f times the throughput, %.3f of the p99 (median of %d rounds)%n",
                work,
                median(ratios),
                median(tails),
                ROUNDS);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static void print(String name, Round round) {
        System.out.printf(
                Locale.ROOT,
                "%-50s %8.0f/s, p50 %7.2f ms, p99 %7.2f ms%n",
                name,
                round.perSecond(),
                round.milliseconds(0.5),
                round.milliseconds(0.99));
    }

    private static Round run(int threads, long milliseconds, Callable<Boolean> write) throws Exception {
        long start = System.nanoTime();
        long end = start + TimeUnit.MILLISECONDS.toNanos(milliseconds);
        List<FutureTask<long[]>> callers = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            callers.add(Callers.start(() -> writeUntil(end, write)));
        }
        List<long[]> latencies = new ArrayList<>();
        for (FutureTask<long[]> caller : callers) {
            latencies.add(caller.get());
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        List<Long> all = latencies.stream()
                .flatMapToLong(Arrays::stream)
                .sorted()
                .boxed()
                .toList();
        return new Round(all.size() / seconds, all);
    }

    private static long[] writeUntil(long end, Callable<Boolean> write) throws Exception {
        LongStream.Builder latencies = LongStream.builder();
        for (long before = System.nanoTime(); before < end; ) {
            if (!write.call()) {
                throw new IllegalStateException("Nothing was written");
            }
            long after = System.nanoTime();
            latencies.add(after - before);
            before = after;
        }
        return latencies.build().toArray();
    }
}
