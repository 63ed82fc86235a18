package io.github.collapseexecutor.foreign.writes;

import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.jdbc.RowOutcome;
import io.github.collapseexecutor.jdbc.RowStatement;
import io.github.collapseexecutor.jdbc.WriteInTransaction;
import io.github.collapseexecutor.jdbc.WriteOptions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** Callers that write a row of their own and one of the writer, each in a transaction, all at the same time. */
final class TransactionsRun {

    private static final int CALLERS = 6;
    private static final RowStatement INSERT = RowStatement.of("INSERT INTO f_rows (text) VALUES (?)");

    /** What a transaction is ended for. */
    private static final class RolledBack extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** What one caller does, and what it is told of its row. */
    private record Caller(String text, boolean waits, boolean commits, boolean isBad) {}

    // immutable
    private final Server server;
    private final Transactions transactions;
    private final Random random;
    private final List<String> differences = new ArrayList<>();

    TransactionsRun(Server server, Transactions transactions, long seed) {
        this.server = server;
        this.transactions = transactions;
        this.random = new Random(seed);
    }

    /** What is not as it is promised; empty if all is. */
    List<String> differences() throws Exception {
        for (String table : List.of("f_own", "f_rows")) {
            execute("DROP TABLE IF EXISTS " + table);
            execute("CREATE TABLE " + table + " (text VARCHAR(20) NOT NULL UNIQUE)");
        }
        boolean defers = random.nextBoolean();
        List<Caller> callers = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            boolean isBad = random.nextInt(5) == 0;
            callers.add(new Caller(
                    "row " + caller + (isBad ? " that is longer than twenty" : ""),
                    random.nextInt(3) == 0,
                    random.nextInt(3) > 0,
                    isBad));
        }
        Deque<AutoCloseable> closing = new ArrayDeque<>();
        List<String> told = new ArrayList<>();
        try {
            DataSource pool = transactions.pool(
                    new PlainDataSource(new FaultySource(server, List.of(), Fault.NONE)), CALLERS + 2, closing::push);
            GroupCommit commits = new GroupCommit(
                    switch (random.nextInt(3)) {
                        case 0 -> new LazyConnectionDataSourceProxy(pool);
                        case 1 -> new TransactionAwareDataSourceProxy(pool);
                        default -> pool;
                    },
                    WriteOptions.builder()
                            .inTransaction(defers ? WriteInTransaction.AFTER_COMMIT : WriteInTransaction.REFUSE)
                            .build());
            Transactions.Runner runner = transactions.over(pool, closing::push);
            CountDownLatch present = new CountDownLatch(CALLERS);
            List<FutureTask<String>> running = new ArrayList<>();
            for (Caller caller : callers) {
                FutureTask<String> task = new FutureTask<>(() -> told(runner, commits, caller, present));
                running.add(task);
                new Thread(task, "caller").start();
            }
            for (FutureTask<String> task : running) {
                told.add(told(task));
            }
        } finally {
            for (AutoCloseable each : closing) {
                each.close();
            }
        }
        Set<String> own = new HashSet<>();
        Set<String> rows = new HashSet<>();
        for (int index = 0; index < CALLERS; index++) {
            Caller caller = callers.get(index);
            if (caller.commits()) {
                own.add("own " + index);
            }
            String expected = expected(caller, defers);
            if (expected.equals("written")) {
                rows.add(caller.text());
            }
            compare(caller + (defers ? " deferred" : ""), expected, told.get(index));
        }
        compare("rows of the callers", own, contents("f_own"));
        compare("rows of the writer", rows, contents("f_rows"));
        return differences;
    }

    private String expected(Caller caller, boolean defers) {
        if (transactions.areNoticed() && (caller.waits() || !defers)) {
            return "refused";
        }
        if (transactions.areNoticed() && !caller.commits()) {
            return "cancelled";
        }
        return caller.isBad() ? "failed" : "written";
    }

    private static String told(Transactions.Runner runner, GroupCommit commits, Caller caller, CountDownLatch present)
            throws Exception {
        List<CompletableFuture<RowOutcome>> later = new ArrayList<>();
        List<String> told = new ArrayList<>();
        try {
            runner.run(own -> {
                own.insert("own " + caller.text().charAt(4));
                present.countDown();
                if (!present.await(1, TimeUnit.MINUTES)) {
                    throw new IllegalStateException("A caller did not begin");
                }
                try {
                    if (caller.waits()) {
                        commits.execute(INSERT, caller.text());
                        told.add("written");
                    } else {
                        later.add(commits.submit(INSERT, caller.text()));
                    }
                } catch (SQLException refusal) {
                    told.add("failed");
                } catch (IllegalStateException refusal) {
                    told.add("refused");
                }
                if (!caller.commits()) {
                    throw new RolledBack();
                }
            });
        } catch (Exception failure) {
            if (!isRolledBack(failure)) {
                throw failure;
            }
        }
        for (CompletableFuture<RowOutcome> write : later) {
            told.add(told(write));
        }
        return String.join(", ", told);
    }

    private static boolean isRolledBack(@Nullable Throwable failure) {
        return failure != null && (failure instanceof RolledBack || isRolledBack(failure.getCause()));
    }

    private static String told(CompletableFuture<RowOutcome> write) {
        try {
            RowOutcome outcome = write.orTimeout(1, TimeUnit.MINUTES).join();
            return outcome.updateCount() == 1 ? "written" : "written " + outcome.updateCount() + " times";
        } catch (CancellationException dropped) {
            return "cancelled";
        } catch (CompletionException failure) {
            return failure.getCause() instanceof SQLException ? "failed" : String.valueOf(failure.getCause());
        }
    }

    private static String told(FutureTask<String> caller) throws Exception {
        try {
            return caller.get(2, TimeUnit.MINUTES);
        } catch (ExecutionException failure) {
            return String.valueOf(failure.getCause());
        }
    }

    private void compare(String of, Object expected, Object actual) {
        if (!expected.equals(actual)) {
            differences.add(of + ": " + actual + " instead of " + expected);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Set<String> contents(String table) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT text FROM " + table)) {
            Set<String> texts = new HashSet<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        }
    }
}
