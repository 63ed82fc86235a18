package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Random transactions within one another, of each propagation, isolation and kind of end. Each row that is written in one of them by JDBC is handed in to
 * a writer beside, which writes after the commit: in the end, each of them is there in both ways, or in none.
 */
class CallerTransactionMatrixTests {

    private static final int TREES = Integer.getInteger("write.transactions", 150);
    private static final long SEED = Long.getLong("write.matrix.seed", 1);
    private static final int DEPTH = 4;
    private static final int[] ISOLATIONS = {
        TransactionDefinition.ISOLATION_DEFAULT,
        TransactionDefinition.ISOLATION_READ_COMMITTED,
        TransactionDefinition.ISOLATION_SERIALIZABLE
    };

    private static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final HikariDataSource pool = Database.H2.pool(12);
    private final PlatformTransactionManager manager = new DataSourceTransactionManager(pool);
    private final JdbcTemplate jdbc = new JdbcTemplate(pool);
    private final GroupCommit commits = new GroupCommit(
            pool,
            WriteOptions.builder()
                    .inTransaction(WriteInTransaction.AFTER_COMMIT)
                    .build());
    private final Random random = new Random(SEED);
    private final List<CompletableFuture<RowOutcome>> writes = new ArrayList<>();
    private int rows;

    private void write() {
        String text = "row " + rows++;
        writes.add(commits.submit(RowStatement.of("INSERT INTO by_writer (text) VALUES (?)"), text));
        jdbc.update("INSERT INTO by_jdbc (text) VALUES (?)", text);
    }

    /** Begins a transaction, perhaps, does something in it, and ends it in some way; what is thrown may leave it. */
    private void scope(int depth) {
        DefaultTransactionDefinition definition = new DefaultTransactionDefinition(random.nextInt(7));
        definition.setIsolationLevel(ISOLATIONS[random.nextInt(ISOLATIONS.length)]);
        definition.setReadOnly(random.nextInt(4) == 0);
        TransactionStatus status = manager.getTransaction(definition);
        try {
            for (int steps = random.nextInt(4); steps >= 0; steps--) {
                step(depth, status);
            }
        } catch (RuntimeException failure) {
            if (random.nextBoolean()) {
                manager.rollback(status);
            } else {
                manager.commit(status);
            }
            throw failure;
        }
        manager.commit(status);
    }

    private void step(int depth, TransactionStatus status) {
        switch (random.nextInt(8)) {
            case 0 -> status.setRollbackOnly();
            case 1 -> throw new Broken();
            case 2 -> writeBeforeTheEnd();
            case 3, 4 -> {
                if (depth < DEPTH) {
                    try {
                        scope(depth + 1);
                    } catch (RuntimeException failure) {
                        if (random.nextBoolean()) {
                            throw failure;
                        }
                    }
                }
            }
            default -> write();
        }
    }

    private void writeBeforeTheEnd() {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    write();
                }
            });
        }
    }

    @Test
    void aDeferredRowIsThereIfARowOfItsTransactionIs() {
        Database.H2.table("by_jdbc");
        Database.H2.table("by_writer");
        int failures = 0;
        for (int tree = 0; tree < TREES; tree++) {
            try {
                scope(0);
            } catch (RuntimeException failure) {
                failures++;
            }
        }
        writes.forEach(write -> write.handle((outcome, failure) -> 0).join());
        List<String> byJdbc = Database.H2.query("SELECT text FROM by_jdbc");
        assertThat(Database.H2.query("SELECT text FROM by_writer"))
                .as("seed %d", SEED)
                .containsExactlyInAnyOrderElementsOf(byJdbc);
        assertThat(writes.stream().filter(write -> !write.isCompletedExceptionally()))
                .hasSize(byJdbc.size());
        assertThat(IntStream.of(byJdbc.size(), rows - byJdbc.size(), failures)).allMatch(count -> count > TREES / 10);
        pool.close();
    }
}
