package io.github.collapseexecutor.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * A process of its own that takes 1 of random rows of the table {@code stock}, with many callers. It says {@code ready}, begins with
 * the next line that it reads, and says in the end how many it took and how many calls failed.
 */
public final class StockTaker {

    static final int GOODS = 50;

    /** How a caller takes 1 of a row. */
    enum Way {
        /** Each by itself, with automatic commit. */
        SINGLE {
            @Override
            Taking over(DataSource dataSource) {
                return goodsId -> {
                    try (Connection connection = dataSource.getConnection();
                            PreparedStatement statement = connection.prepareStatement(TAKE)) {
                        statement.setInt(1, 1);
                        statement.setLong(2, goodsId);
                        return statement.executeUpdate() == 1;
                    }
                };
            }
        },
        MERGED {
            @Override
            Taking over(DataSource dataSource) {
                MergedUpdates<Long, Integer> stock = new MergedUpdates<>(dataSource, MergedUpdatesTests.deduction());
                return goodsId -> stock.execute(goodsId, 1);
            }
        },
        GROUPED {
            @Override
            Taking over(DataSource dataSource) {
                GroupCommit commits = new GroupCommit(dataSource);
                RowStatement take = RowStatement.of(TAKE).lockOrder(2);
                return goodsId -> commits.execute(take, 1, goodsId).updateCount() == 1;
            }
        };

        abstract Taking over(DataSource dataSource);
    }

    interface Taking {
        boolean take(long goodsId) throws Exception;
    }

    private static final String TAKE = "UPDATE stock SET balance = balance - ? WHERE goods_id = ?";
    private static final int CALLERS = 40;
    private static final int CONNECTIONS = 10;

    private StockTaker() {}

    /** Takes the way, the URL of the database, and for how many seconds. */
    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err); // for what libraries log
        long seconds = Long.parseLong(arguments[2]);
        AtomicLong failures = new AtomicLong();
        long taken = 0;
        try (HikariDataSource pool = Database.pool(CONNECTIONS, arguments[1])) {
            Taking taking = Way.valueOf(arguments[0]).over(pool);
            out.println("ready");
            if (System.in.read() < 0) {
                return;
            }
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            List<FutureTask<Long>> callers = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                Callable<Long> call = () -> takeUntil(end, taking, failures);
                callers.add(SimultaneousCallers.start(call));
            }
            for (FutureTask<Long> caller : callers) {
                taken += caller.get();
            }
        }
        out.println(taken);
        out.println(failures);
    }

    private static long takeUntil(long end, Taking taking, AtomicLong failures) {
        long taken = 0;
        while (System.nanoTime() < end) {
            try {
                if (taking.take(1 + ThreadLocalRandom.current().nextInt(GOODS))) {
                    taken++;
                }
            } catch (Exception e) {
                if (failures.getAndIncrement() == 0) {
                    e.printStackTrace(); // of this process, and of the test's that started it
                }
            }
        }
        return taken;
    }
}
