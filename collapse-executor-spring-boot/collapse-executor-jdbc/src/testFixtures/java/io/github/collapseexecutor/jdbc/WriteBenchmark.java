package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Writes one by one, through a home-made queue and as a group: in turn, in one run, over the same pool. It is no test of the
 * build, which does not run it by its name; docs/writes.md says how to.
 */
class WriteBenchmark {

    private static final int ROUNDS = Integer.getInteger("rounds", 3);
    private static final long MILLISECONDS = Integer.getInteger("milliseconds", 1_500);
    private static final int[] CALLERS = Arrays.stream(
                    System.getProperty("callers", "1,10,50,200,400").split(","))
            .mapToInt(Integer::parseInt)
            .toArray();
    private static final List<String> DATABASES =
            List.of(System.getProperty("databases", "MARIADB,POSTGRESQL,H2").split(","));
    private static final int CONNECTIONS = 40;
    private static final int CALLERS_TO_WARM_UP = 50;

    /** Until then, the compiler decides which way is faster. */
    private static final long MILLISECONDS_TO_WARM_UP = Integer.getInteger("milliseconds.to.warm.up", 10_000);

    private static final String INSERT =
            "INSERT INTO order_info (order_no, address_id, merchant_id, user_id, order_amount) VALUES (?, ?, ?, ?, ?)";
    private static final String UPSERT = "INSERT INTO upserted (id, balance) VALUES (?, 1)"
            + " ON CONFLICT (id) DO UPDATE SET balance = upserted.balance + 1";
    private static final String DEDUCT =
            "UPDATE hot_stock SET balance = balance - ? WHERE goods_id = ? AND balance >= ?";

    private enum Way {
        SINGLE("single rows"),
        QUEUE("home-made queue"),
        /** Of values that PostgreSQL does not get in arrays, because a column's type is another one. */
        ROWS("group commit, rows of values"),
        GROUP("group commit"),
        /** The same; one statement is its own commit. */
        IN_STATEMENT("group commit, in the statement");

        private final String label;

        Way(String label) {
            this.label = label;
        }
    }

    /** The tests of the build run with the compiler that starts fastest, whose code doubles what a row costs. */
    @BeforeAll
    static void theJvmCompilesAsInProduction() {
        assertThat(ManagementFactory.getRuntimeMXBean().getInputArguments())
                .as("a benchmark needs the optimizing compiler: add -Dtest.jvm.arguments=-Xmx2g to the command")
                .noneMatch(argument -> argument.startsWith("-XX:TieredStopAtLevel") || argument.equals("-Xint"));
    }

    @ParameterizedTest
    @EnumSource
    void insertsOfEachWay(Database database) throws Exception {
        assumeThat(DATABASES).contains(database.name());
        database.execute(
                "DROP TABLE IF EXISTS order_info",
                "CREATE TABLE order_info (id BIGINT " + database.identity() + ", order_no CHAR(36) NOT NULL UNIQUE, "
                        + "address_id BIGINT, merchant_id BIGINT, user_id BIGINT, order_amount DECIMAL(12, 2))");
        try (HikariDataSource pool = database.pool(CONNECTIONS);
                GroupCommit commits = new GroupCommit(pool);
                GroupCommit inStatement = new GroupCommit(
                        pool, WriteOptions.builder().commitInStatement(true).build());
                HomeMadeQueue queue = new HomeMadeQueue(pool, INSERT)) {
            RowStatement insert = RowStatement.of(INSERT);
            AtomicLong numbers = new AtomicLong();
            Map<Way, Callable<Boolean>> ways = new EnumMap<>(Way.class);
            ways.put(Way.SINGLE, () -> update(pool, INSERT, row(numbers)) == 1);
            ways.put(Way.QUEUE, () -> queue.write(row(numbers)) != 0);
            if (database == Database.POSTGRESQL) {
                ways.put(Way.ROWS, () -> {
                    Object[] row = row(numbers);
                    row[4] = 123_123.0;
                    return commits.execute(insert, row).updateCount() == 1;
                });
            }
            ways.put(Way.GROUP, () -> commits.execute(insert, row(numbers)).updateCount() == 1);
            if (database != Database.H2) {
                ways.put(
                        Way.IN_STATEMENT,
                        () -> inStatement.execute(insert, row(numbers)).updateCount() == 1);
            }
            for (Callable<Boolean> way : ways.values()) {
                MeasuredRound.of(CALLERS_TO_WARM_UP, MILLISECONDS_TO_WARM_UP, way);
            }
            for (int callers : CALLERS) {
                compare(database + ", " + callers, callers, ways);
            }
            assertThat(database.query("SELECT COUNT(*) FROM order_info"))
                    .containsExactly(String.valueOf(numbers.get()));
        }
    }

    /** PostgreSQL's driver says nothing of the rows of a batch that it rewrites; that must not make it slower than no batch. */
    @Test
    void upsertsThatTheDriverRewrites() throws Exception {
        Database.POSTGRESQL.execute(
                "DROP TABLE IF EXISTS upserted", "CREATE TABLE upserted (id BIGINT PRIMARY KEY, balance BIGINT)");
        try (HikariDataSource pool =
                        Database.pool(CONNECTIONS, Database.POSTGRESQL.url() + "&reWriteBatchedInserts=true");
                GroupCommit commits = new GroupCommit(pool)) {
            RowStatement upsert = RowStatement.of(UPSERT);
            AtomicLong numbers = new AtomicLong();
            Map<Way, Callable<Boolean>> ways = new EnumMap<>(Way.class);
            ways.put(Way.SINGLE, () -> update(pool, UPSERT, numbers.incrementAndGet() % 10_000) == 1);
            ways.put(
                    Way.GROUP,
                    () -> commits.execute(upsert, numbers.incrementAndGet() % 10_000)
                                    .updateCount()
                            == 1);
            for (int callers : CALLERS) {
                if (callers >= 10) {
                    compare("POSTGRESQL, upserts, " + callers, callers, ways);
                }
            }
            assertThat(Database.POSTGRESQL.query("SELECT SUM(balance) FROM upserted"))
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
                            Math::addExact));
            AtomicLong sold = new AtomicLong();
            Map<Way, Callable<Boolean>> ways = new EnumMap<>(Way.class);
            ways.put(Way.SINGLE, () -> sold.addAndGet(update(pool, DEDUCT, 1, 1L, 1)) > 0);
            ways.put(Way.GROUP, () -> updates.execute(1L, 1) && sold.incrementAndGet() > 0);
            compare("MARIADB, one row of stock, 200", 200, ways);
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

    /** Measures all ways in turn, each round in another order, and prints the medians, with the ratios to the last way first. */
    private static void compare(String work, int callers, Map<Way, Callable<Boolean>> ways) throws Exception {
        List<Way> order = new ArrayList<>(ways.keySet());
        Map<Way, List<MeasuredRound>> rounds = new EnumMap<>(Way.class);
        for (int round = 0; round < 1 + ROUNDS; round++) {
            for (Way way : order) {
                MeasuredRound measured = MeasuredRound.of(callers, MILLISECONDS, ways.get(way));
                if (round > 0) { // the first is to warm up
                    rounds.computeIfAbsent(way, key -> new ArrayList<>()).add(measured);
                }
            }
            order.add(order.remove(0));
        }
        List<MeasuredRound> group = rounds.get(Way.GROUP);
        for (Map.Entry<Way, List<MeasuredRound>> way : rounds.entrySet()) {
            List<MeasuredRound> measured = way.getValue();
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %s | %.2f | %,.0f | %.1f | %.2f | %.2f | %s |%n",
                    work,
                    way.getKey().label,
                    median(group, MeasuredRound::perSecond) / median(measured, MeasuredRound::perSecond),
                    median(measured, MeasuredRound::perSecond),
                    median(measured, MeasuredRound::processorMicros),
                    median(measured, MeasuredRound::p50),
                    median(measured, MeasuredRound::p99),
                    measured.stream()
                            .map(round -> String.format(Locale.ROOT, "%,.0f", round.perSecond()))
                            .toList());
        }
    }

    private static double median(List<MeasuredRound> rounds, ToDoubleFunction<MeasuredRound> figure) {
        return rounds.stream().mapToDouble(figure).sorted().toArray()[rounds.size() / 2];
    }
}
