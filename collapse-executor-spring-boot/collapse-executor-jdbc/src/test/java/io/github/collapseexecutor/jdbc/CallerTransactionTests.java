package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A write is no part of its caller's transaction, and says so. */
class CallerTransactionTests {

    private static final RowStatement INSERT = RowStatement.of("INSERT INTO in_transaction (text) VALUES (?)");

    private final HikariDataSource pool = Database.H2.pool(4);
    private final DataSourceTransactionManager manager = new DataSourceTransactionManager(pool);
    private final TransactionTemplate transaction = new TransactionTemplate(manager);
    private final GroupCommit refusing = new GroupCommit(pool);
    private final GroupCommit deferring = deferring(pool);

    private static GroupCommit deferring(DataSource dataSource) {
        return new GroupCommit(
                dataSource,
                WriteOptions.builder()
                        .inTransaction(WriteInTransaction.AFTER_COMMIT)
                        .build());
    }

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
                                + "outside, or set WriteInTransaction.AFTER_COMMIT to have it written when that has committed");
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> execute(refusing)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "group-commit was called inside a transaction, which the write would not be part of: call it "
                                + "outside, or hand it in with submit and WriteInTransaction.AFTER_COMMIT");
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
                WriteOptions.builder()
                        .inTransaction(WriteInTransaction.AFTER_COMMIT)
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

    /** Runs an action within a transaction that is nested in the one that is given. */
    private <T> T nested(Function<TransactionStatus, T> action) {
        TransactionTemplate nested = new TransactionTemplate(manager);
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        return nested.execute(action::apply);
    }

    @Test
    void aDeferredRowIsDroppedWithTheNestedTransactionThatItBelongsTo() throws Exception {
        List<CompletableFuture<RowOutcome>> writes = transaction.execute(status -> {
            CompletableFuture<RowOutcome> before = deferring.submit(INSERT, "before");
            CompletableFuture<RowOutcome> dropped = nested(inner -> {
                inner.setRollbackOnly();
                return deferring.submit(INSERT, "dropped");
            });
            CompletableFuture<RowOutcome> kept = nested(inner -> deferring.submit(INSERT, "kept"));
            return List.of(before, dropped, kept, deferring.submit(INSERT, "after"));
        });
        assertThat(writes.get(1).handle((outcome, failure) -> failure).get(1, TimeUnit.MINUTES))
                .isInstanceOf(CancellationException.class)
                .hasMessageContaining("savepoint");
        for (int write : List.of(0, 2, 3)) {
            assertThat(writes.get(write).get(1, TimeUnit.MINUTES).updateCount()).isEqualTo(1);
        }
        assertThat(rows()).containsExactlyInAnyOrder("before", "kept", "after");
    }

    @ParameterizedTest
    @EnumSource
    void aDeferredRowIsDroppedWithEachSavepointFromBeforeIt(Database database) throws Exception {
        database.table("in_transaction");
        try (HikariDataSource connections = database.pool(4)) {
            GroupCommit commits = deferring(connections);
            List<CompletableFuture<RowOutcome>> writes = new TransactionTemplate(
                            new DataSourceTransactionManager(connections))
                    .execute(status -> {
                        CompletableFuture<RowOutcome> first = commits.submit(INSERT, "first");
                        Object outer = status.createSavepoint();
                        CompletableFuture<RowOutcome> second = commits.submit(INSERT, "second");
                        Object inner = status.createSavepoint();
                        CompletableFuture<RowOutcome> third = commits.submit(INSERT, "third");
                        status.rollbackToSavepoint(inner);
                        assertThat(second).isNotDone();
                        assertThat(third).isCancelled();
                        CompletableFuture<RowOutcome> fourth = commits.submit(INSERT, "fourth");
                        status.rollbackToSavepoint(outer);
                        return List.of(first, second, third, fourth);
                    });
            assertThat(writes.get(0).get(1, TimeUnit.MINUTES).updateCount()).isEqualTo(1);
            assertThat(writes.subList(1, 4)).allMatch(CompletableFuture::isCancelled);
            assertThat(database.query("SELECT text FROM in_transaction")).containsExactly("first");
        }
    }

    /** Runs a call in a callback of Spring's behind a commit, or a rollback. */
    private void call(String callback, boolean commit, Callable<?> call) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Runnable noting = () -> {
            try {
                call.call();
            } catch (Throwable e) {
                failure.set(e);
            }
        };
        transaction.executeWithoutResult(status -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    if (callback.equals("afterCommit")) {
                        noting.run();
                    }
                }

                @Override
                public void afterCompletion(int completion) {
                    if (callback.equals("afterCompletion")) {
                        noting.run();
                    }
                }
            });
            if (!commit) {
                status.setRollbackOnly();
            }
        });
        assertThat(failure.get()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"afterCommit, true", "afterCompletion, true", "afterCompletion, false"})
    void aCallbackBehindTheEndOfATransactionWrites(String callback, boolean commit) throws Exception {
        AtomicReference<CompletableFuture<RowOutcome>> refusingWrite = new AtomicReference<>();
        AtomicReference<CompletableFuture<RowOutcome>> deferringWrite = new AtomicReference<>();
        call(callback, commit, () -> {
            refusing.execute(INSERT, "a");
            deferring.execute(INSERT, "b");
            refusingWrite.set(refusing.submit(INSERT, "c"));
            deferringWrite.set(deferring.submit(INSERT, "d"));
            return null;
        });
        assertThat(refusingWrite.get().get(1, TimeUnit.MINUTES).updateCount()).isEqualTo(1);
        assertThat(deferringWrite.get().get(1, TimeUnit.MINUTES).updateCount()).isEqualTo(1);
        assertThat(rows()).containsExactlyInAnyOrder("a", "b", "c", "d");
    }

    @Test
    void aTransactionThatACallbackBeginsIsOne() {
        TransactionTemplate another = new TransactionTemplate(manager);
        another.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        for (String callback : List.of("afterCommit", "afterCompletion")) {
            call(callback, true, () -> {
                another.executeWithoutResult(status -> assertThatThrownBy(() -> refusing.submit(INSERT, "a"))
                        .isInstanceOf(IllegalStateException.class));
                TransactionStatus begun = manager.getTransaction(another);
                assertThatThrownBy(() -> refusing.submit(INSERT, "a")).isInstanceOf(IllegalStateException.class);
                manager.rollback(begun);
                return null;
            });
        }
        assertThat(rows()).isEmpty();
    }

    /** Registers callbacks of one class, whatever they do. */
    private static void afterCommit(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                action.run();
            }
        });
    }

    @Test
    void aTransactionThatACallbackBeginsIsOneAlsoIfItHasACallbackOfTheSameClass() {
        TransactionTemplate another = new TransactionTemplate(manager);
        another.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicReference<CompletableFuture<RowOutcome>> write = new AtomicReference<>();
        transaction.executeWithoutResult(outer -> afterCommit(() -> another.executeWithoutResult(inner -> {
            afterCommit(() -> {});
            failure.set(catchThrowable(() -> refusing.submit(INSERT, "a")));
            write.set(deferring.submit(INSERT, "b"));
            inner.setRollbackOnly();
        })));
        assertThat(failure.get()).isInstanceOf(IllegalStateException.class);
        assertThat(write.get()).isCancelled();
        assertThat(rows()).isEmpty();
    }

    @Test
    void aTransactionThatAnAnnotatedMethodBeginsInACallbackIsOne() {
        ProxyFactory factory = new ProxyFactory(new Service());
        factory.addAdvice(
                new TransactionInterceptor((TransactionManager) manager, new AnnotationTransactionAttributeSource()));
        Service service = (Service) factory.getProxy();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        transaction.executeWithoutResult(outer -> afterCommit(() -> service.run(() -> {
            afterCommit(() -> {});
            failure.set(catchThrowable(() -> refusing.submit(INSERT, "a")));
        })));
        assertThat(failure.get()).isInstanceOf(IllegalStateException.class);
        assertThat(rows()).isEmpty();
    }

    /** A bean whose method has a transaction of its own. */
    static class Service {

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void run(Runnable action) {
            action.run();
        }
    }

    @Test
    void aCallbackBeforeTheCommitIsInTheTransaction() {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        transaction.executeWithoutResult(status ->
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        failure.set(catchThrowable(() -> refusing.submit(INSERT, "a")));
                    }
                }));
        assertThat(failure.get()).isInstanceOf(IllegalStateException.class);
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
        assertThatThrownBy(() -> none.atEnd(end -> {})).isInstanceOf(IllegalStateException.class);
        assertThat(CallerTransaction.of(getClass().getClassLoader())).isInstanceOf(SpringTransaction.class);
    }
}
