package io.github.collapseexecutor.sample.groupcommit.comparison;

import com.zaxxer.hikari.HikariDataSource;
import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.jdbc.MergedUpdate;
import io.github.collapseexecutor.jdbc.MergedUpdates;
import io.github.collapseexecutor.jdbc.RowStatement;
import io.github.collapseexecutor.jdbc.WriteOptions;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.jdbc.core.JdbcTemplate;

/** Something to be written in several ways. */
enum ComparedWork {
    /** A row of an order, with a key that the database generates. */
    INSERTS {
        @Override
        boolean isFor(ComparedDatabase database) {
            return true;
        }

        @Override
        Ways on(ComparedDatabase.Running running) {
            ComparedDatabase database = running.database();
            Ways ways = new Ways(running.pool(""));
            HikariDataSource pool = ways.pool();
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            jdbc.execute("DROP TABLE IF EXISTS order_info");
            jdbc.execute("CREATE TABLE order_info (id BIGINT " + database.generated() + " PRIMARY KEY,"
                    + " order_no CHAR(36) NOT NULL UNIQUE, address_id BIGINT, merchant_id BIGINT, user_id BIGINT,"
                    + " order_amount DECIMAL(12, 2))");
            RowStatement insert = RowStatement.of(INSERT);
            GroupCommit commits = ways.closing(new GroupCommit(pool), GroupCommit::close);
            HomeMadeQueue queue = ways.closing(new HomeMadeQueue(pool, INSERT), HomeMadeQueue::close);
            AtomicLong numbers = new AtomicLong();
            ways.add(Ways.SINGLE, () -> jdbc.update(INSERT, row(numbers, 123_123L)) == 1);
            ways.add(Ways.QUEUE, () -> queue.write(row(numbers, 123_123L)) != 0);
            if (database == ComparedDatabase.POSTGRESQL) {
                // of values that PostgreSQL does not get in arrays, because a column's type is another one
                ways.add(
                        "group commit, rows of values",
                        () -> commits.execute(insert, row(numbers, 123_123.0)).updateCount() == 1);
            }
            ways.add(
                    Ways.GROUP,
                    () -> commits.execute(insert, row(numbers, 123_123L)).updateCount() == 1);
            if (database != ComparedDatabase.H2) {
                GroupCommit inStatement = ways.closing(
                        new GroupCommit(
                                pool,
                                WriteOptions.builder().commitInStatement(true).build()),
                        GroupCommit::close);
                ways.add(
                        "group commit, in the statement",
                        () -> inStatement
                                        .execute(insert, row(numbers, 123_123L))
                                        .updateCount()
                                == 1);
            }
            return ways.expecting("SELECT COUNT(*) FROM order_info", numbers::get);
        }
    },

    /** Upserts of 10 000 rows, where PostgreSQL's driver says nothing of the rows of a batch that it rewrites; that must not be slower than no batch. */
    UPSERTS {
        @Override
        boolean isFor(ComparedDatabase database) {
            return database == ComparedDatabase.POSTGRESQL;
        }

        @Override
        Ways on(ComparedDatabase.Running running) {
            Ways ways = new Ways(running.pool("&reWriteBatchedInserts=true"));
            JdbcTemplate jdbc = new JdbcTemplate(ways.pool());
            jdbc.execute("DROP TABLE IF EXISTS upserted");
            jdbc.execute("CREATE TABLE upserted (id BIGINT PRIMARY KEY, balance BIGINT)");
            RowStatement upsert = RowStatement.of(UPSERT);
            GroupCommit commits = ways.closing(new GroupCommit(ways.pool()), GroupCommit::close);
            AtomicLong numbers = new AtomicLong();
            ways.add(Ways.SINGLE, () -> jdbc.update(UPSERT, numbers.incrementAndGet() % 10_000) == 1);
            ways.add(
                    Ways.GROUP,
                    () -> commits.execute(upsert, numbers.incrementAndGet() % 10_000)
                                    .updateCount()
                            == 1);
            return ways.expecting("SELECT SUM(balance) FROM upserted", numbers::get);
        }
    },

    /** Deductions from one row of stock: merged, or each by itself. */
    DEDUCTIONS {
        @Override
        boolean isFor(ComparedDatabase database) {
            return database == ComparedDatabase.MARIADB;
        }

        @Override
        Ways on(ComparedDatabase.Running running) {
            Ways ways = new Ways(running.pool(""));
            JdbcTemplate jdbc = new JdbcTemplate(ways.pool());
            jdbc.execute("DROP TABLE IF EXISTS hot_stock");
            jdbc.execute("CREATE TABLE hot_stock (goods_id BIGINT PRIMARY KEY, balance BIGINT NOT NULL)");
            jdbc.update("INSERT INTO hot_stock VALUES (1, ?)", STOCK);
            MergedUpdates<Long, Integer> updates = ways.closing(
                    new MergedUpdates<>(
                            ways.pool(),
                            MergedUpdate.of(
                                    DEDUCT,
                                    (statement, goodsId, count) -> {
                                        statement.setInt(1, count);
                                        statement.setLong(2, goodsId);
                                        statement.setInt(3, count);
                                    },
                                    Math::addExact)),
                    MergedUpdates::close);
            AtomicLong sold = new AtomicLong();
            ways.add(Ways.SINGLE, () -> sold.addAndGet(jdbc.update(DEDUCT, 1, 1L, 1)) > 0);
            ways.add(Ways.GROUP, () -> updates.execute(1L, 1) && sold.incrementAndGet() > 0);
            return ways.expecting("SELECT " + STOCK + " - balance FROM hot_stock", sold::get);
        }
    };

    private static final String INSERT =
            "INSERT INTO order_info (order_no, address_id, merchant_id, user_id, order_amount) VALUES (?, ?, ?, ?, ?)";
    private static final String UPSERT = "INSERT INTO upserted (id, balance) VALUES (?, 1)"
            + " ON CONFLICT (id) DO UPDATE SET balance = upserted.balance + 1";
    private static final String DEDUCT =
            "UPDATE hot_stock SET balance = balance - ? WHERE goods_id = ? AND balance >= ?";
    private static final long STOCK = 1_000_000_000;

    abstract boolean isFor(ComparedDatabase database);

    /** The ways to do it, to be closed. */
    abstract Ways on(ComparedDatabase.Running running);

    private static Object[] row(AtomicLong numbers, Object amount) {
        return new Object[] {String.format("%036d", numbers.incrementAndGet()), 1L, 2L, 3L, amount};
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
