package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What callers of merged updates are promised, on every database. */
class MergedUpdatesTests {

    private static final String DEDUCT = "UPDATE stock SET balance = balance - ? WHERE goods_id = ? AND balance >= ?";

    static MergedUpdate<Long, Integer> deduction() {
        return deduction(Integer::sum);
    }

    private static MergedUpdate<Long, Integer> deduction(BinaryOperator<Integer> combine) {
        return MergedUpdate.of(
                DEDUCT,
                (statement, goodsId, count) -> {
                    statement.setInt(1, count);
                    statement.setLong(2, goodsId);
                    statement.setInt(3, count);
                },
                combine);
    }

    private static MergedUpdate<Long, Integer> deductionThatReads(
            MergedUpdate<Long, Integer> deduction, Runnable then) {
        return deduction.reading(
                "SELECT balance FROM stock WHERE goods_id = ?",
                (statement, goodsId) -> statement.setLong(1, goodsId),
                row -> {
                    int balance = row.getInt(1);
                    then.run();
                    return count -> count <= balance;
                });
    }

    static void stock(Database database, int... balances) {
        database.execute(
                "DROP TABLE IF EXISTS stock",
                "CREATE TABLE stock (goods_id BIGINT PRIMARY KEY, balance INT NOT NULL CHECK (balance >= 0))");
        for (int index = 0; index < balances.length; index++) {
            database.execute("INSERT INTO stock VALUES (" + (index + 1) + ", " + balances[index] + ")");
        }
    }

    private static List<Boolean> outcomes(Stream<CompletableFuture<Boolean>> futures) {
        return futures.toList().stream().map(CompletableFuture::join).toList();
    }

    @ParameterizedTest
    @EnumSource
    void ofAStockOfSevenTheFirstSevenOfTenCallersGetOne(Database database) {
        try (HikariDataSource pool = database.pool(4)) {
            for (MergedUpdate<Long, Integer> update : List.of(deduction(), deductionThatReads(deduction(), () -> {}))) {
                stock(database, 7);
                MergedUpdates<Long, Integer> stock = new MergedUpdates<>(pool, update, GroupCommitTests.full(10));
                assertThat(outcomes(Stream.generate(() -> stock.submit(1L, 1)).limit(10)))
                        .containsExactly(true, true, true, true, true, true, true, false, false, false);
                assertThat(database.query("SELECT balance FROM stock")).containsExactly("0");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPartThatDoesNotFitLetsASmallerOneBehindItPass(Database database) {
        try (HikariDataSource pool = database.pool(4)) {
            for (MergedUpdate<Long, Integer> update : List.of(deduction(), deductionThatReads(deduction(), () -> {}))) {
                stock(database, 7, 10);
                MergedUpdates<Long, Integer> stock = new MergedUpdates<>(pool, update, GroupCommitTests.full(6));
                assertThat(outcomes(Stream.of(
                                stock.submit(1L, 5),
                                stock.submit(2L, 6),
                                stock.submit(1L, 5),
                                stock.submit(2L, 4),
                                stock.submit(1L, 2),
                                stock.submit(3L, 1))))
                        .containsExactly(true, true, false, true, true, false);
                assertThat(database.query("SELECT balance FROM stock")).containsExactly("0", "0");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void partsThatAreReadAgainAreTriedInOrderOfSubmission(Database database) {
        stock(database, 7);
        AtomicInteger reads = new AtomicInteger();
        MergedUpdate<Long, Integer> update = deductionThatReads(deduction(), () -> {
            if (reads.incrementAndGet() == 1) {
                database.execute("UPDATE stock SET balance = balance - 2");
            }
        });
        try (HikariDataSource pool = database.pool(4)) {
            MergedUpdates<Long, Integer> stock = new MergedUpdates<>(pool, update, GroupCommitTests.full(3));
            assertThat(outcomes(Stream.of(stock.submit(1L, 5), stock.submit(1L, 5), stock.submit(1L, 2))))
                    .containsExactly(true, false, false);
            assertThat(database.query("SELECT balance FROM stock")).containsExactly("0");
        }
    }

    @ParameterizedTest
    @EnumSource
    void partsThatFitAreOneStatementForEachRow(Database database) {
        stock(database, 100, 100);
        try (WatchedDataSource watched = new WatchedDataSource(database.pool(1))) {
            MergedUpdates<Long, Integer> stock = new MergedUpdates<>(watched, deduction(), GroupCommitTests.full(60));
            assertThat(outcomes(Stream.iterate(1L, id -> 3 - id)
                            .map(id -> stock.submit(id, 1))
                            .limit(60)))
                    .hasSize(60)
                    .containsOnly(true);
            assertThat(watched.steps("addBatch", "executeBatch", "commit"))
                    .containsExactly("addBatch", "addBatch", "executeBatch", "commit");
            assertThat(database.query("SELECT balance FROM stock")).containsExactly("70", "70");
        }
    }

    @ParameterizedTest
    @EnumSource
    void anotherWriterBetweenReadingAndWritingDoesNoHarm(Database database) {
        stock(database, 7);
        AtomicInteger reads = new AtomicInteger();
        // Takes 1 after each reading, so that what was read does not hold when the parts are written.
        Runnable foreignWriter = () -> {
            reads.incrementAndGet();
            database.execute("UPDATE stock SET balance = balance - 1 WHERE balance > 0");
        };
        try (HikariDataSource pool = database.pool(4)) {
            MergedUpdates<Long, Integer> stock = new MergedUpdates<>(
                    pool, deductionThatReads(deduction(), foreignWriter), GroupCommitTests.full(10));
            List<Boolean> outcomes =
                    outcomes(Stream.generate(() -> stock.submit(1L, 1)).limit(10));
            assertThat(reads).hasValue(3);
            assertThat(outcomes).containsExactly(true, true, true, true, false, false, false, false, false, false);
            assertThat(database.query("SELECT balance FROM stock")).containsExactly("0");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPartThatDidNotFitWhenTheRowWasReadMayFitAfterAnotherWriter(Database database) {
        stock(database, 7);
        // Of 5 and 3, it is 5 that fits the 7 that are read, and 3 the 4 that are left.
        AtomicInteger taken = new AtomicInteger(3);
        Runnable foreignWriter = () -> database.execute("UPDATE stock SET balance = balance - " + taken.getAndSet(0));
        try (HikariDataSource pool = database.pool(4)) {
            MergedUpdates<Long, Integer> stock =
                    new MergedUpdates<>(pool, deductionThatReads(deduction(), foreignWriter), GroupCommitTests.full(2));
            assertThat(outcomes(Stream.of(stock.submit(1L, 5), stock.submit(1L, 3))))
                    .containsExactly(false, true);
            assertThat(database.query("SELECT balance FROM stock")).containsExactly("1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsOversoldBesideOtherWriters(Database database) throws Exception {
        stock(database, 3_000);
        AtomicInteger sold = new AtomicInteger();
        try (HikariDataSource pool = database.pool(4)) {
            MergedUpdates<Long, Integer> stock = new MergedUpdates<>(pool, deductionThatReads(deduction(), () -> {}));
            FutureTask<Integer> foreign = SimultaneousCallers.start(() -> deductOneByOne(database));
            List<WriteResult<Void>> callers = SimultaneousCallers.all(64, index -> () -> {
                for (int call = 0; call < 60; call++) {
                    int count = 1 + call % 3;
                    sold.addAndGet(stock.execute(1L, count) ? count : 0);
                }
                return null;
            });
            assertThat(callers)
                    .allSatisfy(caller -> assertThat(caller.failure()).isNull());
            int left =
                    Integer.parseInt(database.query("SELECT balance FROM stock").get(0));
            int byOthers = SimultaneousCallers.outcome(foreign).value();
            assertThat(byOthers).isPositive();
            assertThat(sold.get() + byOthers + left).isEqualTo(3_000);
        }
    }

    private static int deductOneByOne(Database database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url());
                PreparedStatement statement = connection.prepareStatement(DEDUCT)) {
            int deducted = 0;
            for (int call = 0; call < 100; call++) {
                statement.setInt(1, 1);
                statement.setLong(2, 1);
                statement.setInt(3, 1);
                deducted += statement.executeUpdate();
            }
            return deducted;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPartThatTheDatabaseRefusesFailsAlone(Database database) {
        stock(database, 7);
        MergedUpdate<Long, Integer> unconditional = MergedUpdate.of(
                "UPDATE stock SET balance = balance - ? WHERE goods_id = ?",
                (statement, goodsId, count) -> {
                    statement.setInt(1, count);
                    statement.setLong(2, goodsId);
                },
                Integer::sum);
        try (HikariDataSource pool = database.pool(4)) {
            MergedUpdates<Long, Integer> stock = new MergedUpdates<>(pool, unconditional, GroupCommitTests.full(3));
            CompletableFuture<Boolean> first = stock.submit(1L, 5);
            CompletableFuture<Boolean> tooMuch = stock.submit(1L, 5);
            CompletableFuture<Boolean> last = stock.submit(1L, 2);
            assertThat(first.join()).isTrue();
            assertThatThrownBy(tooMuch::join).hasCauseInstanceOf(SQLException.class);
            assertThat(last.join()).isTrue();
            assertThat(database.query("SELECT balance FROM stock")).containsExactly("0");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSumThatOverflowsSellsNothing(Database database) {
        try (HikariDataSource pool = database.pool(4)) {
            for (BinaryOperator<Integer> sum : List.<BinaryOperator<Integer>>of(Integer::sum, Math::addExact)) {
                for (MergedUpdate<Long, Integer> update :
                        List.of(deduction(sum), deductionThatReads(deduction(sum), () -> {}))) {
                    stock(database, 10);
                    MergedUpdates<Long, Integer> stock = new MergedUpdates<>(pool, update, GroupCommitTests.full(2));
                    assertThat(outcomes(Stream.of(stock.submit(1L, 1_500_000_000), stock.submit(1L, 1_500_000_000))))
                            .containsExactly(false, false);
                    assertThat(database.query("SELECT balance FROM stock")).containsExactly("10");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anImpossiblePartIsRefusedAlone(Database database) {
        try (HikariDataSource pool = database.pool(4)) {
            for (int place : List.of(0, 4, 9)) {
                stock(database, 10);
                MergedUpdates<Long, Integer> stock =
                        new MergedUpdates<>(pool, deduction(Math::addExact), GroupCommitTests.full(10));
                List<Boolean> outcomes = outcomes(IntStream.range(0, 10)
                        .mapToObj(caller -> stock.submit(1L, caller == place ? Integer.MAX_VALUE : 1)));
                assertThat(IntStream.range(0, 10).filter(caller -> !outcomes.get(caller)))
                        .containsExactly(place);
                assertThat(database.query("SELECT balance FROM stock")).containsExactly("1");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void stockThatIsGivenBackDoesNotServeCallersThatCameBeforeIt(Database database) {
        try (HikariDataSource pool = database.pool(4)) {
            for (MergedUpdate<Long, Integer> update : List.of(deduction(), deductionThatReads(deduction(), () -> {}))) {
                stock(database, 0, 5, 0);
                MergedUpdates<Long, Integer> stock = new MergedUpdates<>(pool, update, GroupCommitTests.full(9));
                assertThat(outcomes(Stream.of(
                                stock.submit(1L, 1),
                                stock.submit(2L, 2),
                                stock.submit(1L, -5),
                                stock.submit(1L, 2),
                                stock.submit(2L, 3),
                                stock.submit(3L, 1),
                                stock.submit(3L, -5),
                                stock.submit(3L, 2),
                                stock.submit(3L, 4))))
                        .containsExactly(false, true, true, true, true, false, true, true, false);
                assertThat(database.query("SELECT balance FROM stock ORDER BY goods_id"))
                        .containsExactly("3", "0", "3");
            }
        }
    }

    @Test
    void partsThatTheCombineFunctionDoesNotTakeAreWrittenOneByOne() {
        stock(Database.H2, 7, 7);
        try (HikariDataSource pool = Database.H2.pool(4)) {
            MergedUpdates<Long, Integer> stock = new MergedUpdates<>(
                    pool,
                    deduction((earlier, later) -> {
                        throw new IllegalStateException("mine");
                    }),
                    GroupCommitTests.full(4));
            assertThat(outcomes(Stream.of(
                            stock.submit(1L, 5), stock.submit(2L, 1), stock.submit(1L, 3), stock.submit(1L, 2))))
                    .containsExactly(true, true, false, true);
        }
    }

    @Test
    void anErrorOfTheCombineFunctionIsForTheCallersOfThatRowOnly() {
        stock(Database.H2, 7, 7);
        AssertionError thrown = new AssertionError("mine");
        try (HikariDataSource pool = Database.H2.pool(4)) {
            MergedUpdates<Long, Integer> stock = new MergedUpdates<>(
                    pool,
                    deduction((earlier, later) -> {
                        throw thrown;
                    }),
                    GroupCommitTests.full(3));
            CompletableFuture<Boolean> first = stock.submit(1L, 1);
            CompletableFuture<Boolean> other = stock.submit(2L, 1);
            CompletableFuture<Boolean> last = stock.submit(1L, 1);
            assertThatThrownBy(first::join).hasCause(thrown);
            assertThatThrownBy(last::join).hasCause(thrown);
            assertThat(other.join()).isTrue();
        }
    }

    @Test
    void numbersOfAnyTypeAreMergedWhileTheirSumIsOne() {
        assertThat(merged(1L, 2L, Long::sum)).isEqualTo(3L);
        assertThat(merged(Long.MAX_VALUE, 1L, Long::sum)).isNull();
        assertThat(merged(Long.MIN_VALUE, Long.MIN_VALUE, Long::sum)).isNull();
        assertThat(merged(0, 0, Integer::sum)).isEqualTo(0);
        assertThat(merged(0, -1, Integer::sum)).isEqualTo(-1);
        assertThat(merged(3, -1, Integer::sum)).isNull();
        assertThat(merged(1.5, 2.5, Double::sum)).isEqualTo(4.0);
        assertThat(merged(1.5, -2.5, Double::sum)).isNull();
        assertThat(merged(BigDecimal.ONE, BigDecimal.TEN, BigDecimal::add)).isEqualTo(BigDecimal.valueOf(11));
        assertThat(merged(BigInteger.ONE, BigInteger.TEN.negate(), BigInteger::add))
                .isNull();
        assertThat(merged("a", "b", String::concat)).isEqualTo("ab");
    }

    private static <PART> PART merged(PART earlier, PART later, BinaryOperator<PART> combine) {
        return Merge.of(MergedUpdate.of("UPDATE", (statement, key, part) -> {}, combine), earlier, later);
    }

    @Test
    void aStateThatCannotBeReadFailsItsCallersAndChangesNothing() {
        stock(Database.H2, 1);
        try (HikariDataSource pool = Database.H2.pool(4)) {
            MergedUpdate<Long, Integer> update =
                    deduction().reading("SELECT nothing FROM stock", (statement, goodsId) -> {}, row -> count -> true);
            MergedUpdates<Long, Integer> stock = new MergedUpdates<>(pool, update, GroupCommitTests.full(2));
            CompletableFuture<Boolean> first = stock.submit(1L, 1);
            assertThatThrownBy(() -> stock.execute(1L, 1)).isInstanceOf(SQLException.class);
            assertThatThrownBy(first::join).hasCauseInstanceOf(SQLException.class);
            assertThat(Database.H2.query("SELECT balance FROM stock")).containsExactly("1");
        }
    }

    @Test
    void aFunctionThatReadsAStateAndThrowsFailsTheCallersOfThatRowOnly() {
        stock(Database.H2, 7, 8);
        UncheckedIOException thrown = new UncheckedIOException(new IOException("mine"));
        MergedUpdate<Long, Integer> update = deduction()
                .reading(
                        "SELECT balance FROM stock WHERE goods_id = ?",
                        (statement, goodsId) -> statement.setLong(1, goodsId),
                        row -> {
                            int balance = row.getInt(1);
                            if (balance == 7) {
                                throw thrown;
                            }
                            return count -> count <= balance;
                        });
        try (HikariDataSource pool = Database.H2.pool(4)) {
            MergedUpdates<Long, Integer> stock = new MergedUpdates<>(pool, update, GroupCommitTests.full(4));
            List<CompletableFuture<Boolean>> failing = List.of(stock.submit(1L, 5), stock.submit(1L, 5));
            assertThat(outcomes(Stream.of(stock.submit(2L, 5), stock.submit(2L, 5))))
                    .containsExactly(true, false);
            assertThat(failing)
                    .allSatisfy(part -> assertThatThrownBy(part::join).hasCause(thrown));
        }
    }

    @Test
    void aKeyWhoseHashCodeThrowsFailsItsOwnCaller() {
        stock(Database.H2, 7);
        try (HikariDataSource pool = Database.H2.pool(4)) {
            MergedUpdate<Object, Integer> update = MergedUpdate.of(
                    DEDUCT,
                    (statement, goodsId, count) -> {
                        statement.setInt(1, count);
                        statement.setObject(2, goodsId);
                        statement.setInt(3, count);
                    },
                    Integer::sum);
            MergedUpdates<Object, Integer> stock = new MergedUpdates<>(pool, update, GroupCommitTests.full(2));
            CompletableFuture<Boolean> broken = stock.submit(
                    new Object() {
                        @Override
                        public int hashCode() {
                            throw new IllegalStateException("mine");
                        }
                    },
                    1);
            assertThat(stock.submit(1L, 1).join()).isTrue();
            assertThatThrownBy(broken::join).hasRootCauseMessage("mine");
        }
    }

    @Test
    void aQueryForTheStateHasToBeGiven() {
        assertThatThrownBy(() -> deduction().reading(" ", (statement, id) -> {}, row -> count -> true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sql is blank");
    }
}
