package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A write is no part of its caller's transaction, and says so. */
class CallerTransactionTests {

    private static final RowStatement INSERT = RowStatement.of("INSERT INTO in_transaction (text) VALUES (?)");

    private final HikariDataSource pool = Database.H2.pool(4);
    private final DataSourceTransactionManager manager = new DataSourceTransactionManager(pool);
    private final TransactionTemplate transaction = new TransactionTemplate(manager);
    private final GroupCommit refusing = new GroupCommit(pool);
    private final GroupCommit deferring = new GroupCommit(
            pool,
            GroupCommitOptions.builder()
                    .inTransaction(InTransaction.AFTER_COMMIT)
                    .build());

    @BeforeEach
    void createTable() {
        Database.H2.table("in_transaction");
    }

    @AfterEach
    void closePool() {
        pool.close();
    }

    private static Iterable<String> rows() {
        return Database.H2.query("SELECT text FROM in_transaction");
    }

    @Test
    void aCallInsideATransactionIsRefused() {
        assertThatThrownBy(() -> transaction.execute(
                        status -> refusing.submit(INSERT, "a").join()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "group-commit was called inside a transaction, which the write would not be part of: call it "
                                + "outside, or set InTransaction.AFTER_COMMIT to have it written when that has committed");
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> execute(refusing)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "group-commit was called inside a transaction, which the write would not be part of: call it "
                                + "outside, or hand it in with submit and InTransaction.AFTER_COMMIT");
        assertThat(rows()).isEmpty();
    }

    @Test
    void aCallThatWaitsIsRefusedInsideATransactionAlsoWhereWritesAreDeferred() {
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> execute(deferring)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("submit");
        assertThat(rows()).isEmpty();
    }

    private static void execute(GroupCommit commits) {
        try {
            commits.execute(INSERT, "a");
        } catch (SQLException | InterruptedException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Test
    void aDeferredRowIsWrittenAfterTheCommit() throws Exception {
        CompletableFuture<RowOutcome> write = transaction.execute(status -> {
            CompletableFuture<RowOutcome> future = deferring.submit(INSERT, "a");
            assertThat(future).isNotDone();
            assertThat(rows()).isEmpty();
            return future;
        });
        assertThat(write.get(1, TimeUnit.MINUTES).updateCount()).isEqualTo(1);
        assertThat(rows()).containsExactly("a");
    }

    @Test
    void aDeferredRowTellsOfItsFailure() {
        Database.H2.execute("INSERT INTO in_transaction (text) VALUES ('a')");
        CompletableFuture<RowOutcome> write = transaction.execute(status -> deferring.submit(INSERT, "a"));
        assertThatThrownBy(() -> write.get(1, TimeUnit.MINUTES)).hasCauseInstanceOf(SQLException.class);
    }

    @Test
    void aDeferredRowIsDroppedIfTheTransactionRollsBack() throws Exception {
        CompletableFuture<RowOutcome> write = transaction.execute(status -> {
            status.setRollbackOnly();
            return deferring.submit(INSERT, "a");
        });
        assertThat(write.handle((outcome, failure) -> failure).get(1, TimeUnit.MINUTES))
                .isInstanceOf(CancellationException.class)
                .hasMessageContaining("did not commit");
        assertThat(write).isCancelled();
        assertThat(rows()).isEmpty();
    }

    @Test
    void aDeferredRowThatIsCancelledBeforeTheCommitIsNotWritten() throws Exception {
        transaction.executeWithoutResult(status ->
                assertThat(deferring.submit(INSERT, "a").cancel(false)).isTrue());
        assertThat(deferring.execute(INSERT, "b").updateCount()).isEqualTo(1);
        assertThat(rows()).containsExactly("b");
    }

    @Test
    void aDeferredRowThatFindsNoPlaceSaysSo() {
        GroupCommit small = new GroupCommit(
                pool,
                GroupCommitOptions.builder()
                        .inTransaction(InTransaction.AFTER_COMMIT)
                        .maxPending(1)
                        .maxBatchSize(2)
                        .collectingWaitTime(Duration.ofMinutes(10))
                        .build());
        CompletableFuture<RowOutcome> inTheWay = small.submit(INSERT, "a");
        CompletableFuture<RowOutcome> write = transaction.execute(status -> small.submit(INSERT, "b"));
        assertThatThrownBy(() -> write.get(1, TimeUnit.MINUTES))
                .hasCauseInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("maxPending = 1");
        assertThat(inTheWay.cancel(false)).isTrue();
    }

    @Test
    void aTransactionThatTellsNobodyOfItsEndIsRefused() {
        manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
        TransactionSynchronizationManager.setActualTransactionActive(true);
        try {
            assertThatThrownBy(() -> deferring.submit(INSERT, "a").join())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("synchronization is not active");
        } finally {
            TransactionSynchronizationManager.setActualTransactionActive(false);
        }
    }

    @Test
    void mergedUpdatesAreRefusedToo() {
        MergedUpdates<String, Integer> updates = new MergedUpdates<>(
                pool, MergedUpdate.of("UPDATE in_transaction SET id = 1", (statement, key, part) -> {}, Integer::sum));
        assertThatThrownBy(() ->
                        transaction.execute(status -> updates.submit("a", 1).join()))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void withoutSpringsTransactionsThereIsNothingToNotice() {
        CallerTransaction none = CallerTransaction.of(new FilteredClassLoader("org.springframework.transaction"));
        assertThat(none).isSameAs(CallerTransaction.NONE);
        assertThat(none.isActive()).isFalse();
        assertThat(none.afterCompletion(committed -> {})).isFalse();
        assertThat(CallerTransaction.of(getClass().getClassLoader())).isInstanceOf(SpringTransaction.class);
    }
}
