package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.jdbc.sql.StatementText;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What can be set, what it is by default, and what is refused; the same for the values that callers hand in. */
class WriteOptionsTests {

    @Test
    void byDefaultOneBatchIsWrittenAtATimeWithoutAWindow() {
        WriteOptions options = WriteOptions.defaults();
        assertThat(options.name()).isEqualTo("group-commit");
        assertThat(options.maxBatchSize()).isEqualTo(1000);
        assertThat(options.maxConcurrentBatches()).isEqualTo(1);
        assertThat(options.collectingWaitTime()).isZero();
        assertThat(options.maxPending()).isEqualTo(100_000);
        assertThat(options.networkTimeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(options.closeAtShutdown()).isNull();
        assertThat(options.callTimeout()).isNull();
        assertThat(options.listener()).isNull();
        assertThat(options.writeListener()).isNull();
        assertThat(options.maxRetries()).isEqualTo(3);
        assertThat(options.inTransaction()).isEqualTo(WriteInTransaction.REFUSE);
        assertThat(options.multiRowInserts()).isTrue();
        assertThat(options.commitInStatement()).isFalse();
        assertThat(options.gathering().waitThreshold()).isEqualTo(1);
    }

    @Test
    void everySettingIsKept() {
        CollapseListener listener = batch -> {};
        WriteListener writeListener = batch -> {};
        WriteOptions options = WriteOptions.builder()
                .name("orders")
                .maxBatchSize(20)
                .maxConcurrentBatches(2)
                .collectingWaitTime(Duration.ofMillis(1))
                .maxPending(400)
                .callTimeout(Duration.ofSeconds(5))
                .listener(listener)
                .writeListener(writeListener)
                .maxRetries(0)
                .networkTimeout(Duration.ofSeconds(9))
                .closeAtShutdown(Duration.ofSeconds(8))
                .inTransaction(WriteInTransaction.AFTER_COMMIT)
                .multiRowInserts(false)
                .commitInStatement(true)
                .build();
        assertThat(options.name()).isEqualTo("orders");
        assertThat(options.maxBatchSize()).isEqualTo(20);
        assertThat(options.maxConcurrentBatches()).isEqualTo(2);
        assertThat(options.collectingWaitTime()).isEqualTo(Duration.ofMillis(1));
        assertThat(options.maxPending()).isEqualTo(400);
        assertThat(options.callTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.listener()).isSameAs(listener);
        assertThat(options.writeListener()).isSameAs(writeListener);
        assertThat(options.maxRetries()).isZero();
        assertThat(options.networkTimeout()).isEqualTo(Duration.ofSeconds(9));
        assertThat(options.closeAtShutdown()).isEqualTo(Duration.ofSeconds(8));
        assertThat(options.inTransaction()).isEqualTo(WriteInTransaction.AFTER_COMMIT);
        assertThat(options.multiRowInserts()).isFalse();
        assertThat(options.commitInStatement()).isTrue();
        assertThat(options.gathering().waitThreshold()).isEqualTo(20);
        assertThat(options.gathering().callTimeout()).isNull();
    }

    /** Whatever the settings are: each builder method is called once, with a value that is not the default. */
    @Test
    void aBuilderOfOptionsHoldsEachOfTheirSettings() throws ReflectiveOperationException {
        Map<Class<?>, Object> values = Map.of(
                String.class,
                "orders",
                int.class,
                7,
                Duration.class,
                Duration.ofSeconds(77),
                CollapseListener.class,
                (CollapseListener) batch -> {},
                WriteListener.class,
                (WriteListener) batch -> {},
                WriteInTransaction.class,
                WriteInTransaction.AFTER_COMMIT);
        for (Method setter : WriteOptions.Builder.class.getMethods()) {
            if (setter.getReturnType() != WriteOptions.Builder.class) {
                continue;
            }
            Method getter = WriteOptions.class.getMethod(setter.getName());
            Object before = getter.invoke(WriteOptions.defaults());
            WriteOptions.Builder builder = WriteOptions.builder();
            setter.invoke(builder, before instanceof Boolean is ? !is : values.get(setter.getParameterTypes()[0]));
            WriteOptions options = builder.build();
            assertThat(getter.invoke(options))
                    .as(setter.getName())
                    .isNotEqualTo(before)
                    .isEqualTo(getter.invoke(options.toBuilder().build()))
                    .isEqualTo(getter.invoke(
                            options.toBuilder().build().toBuilder().build()));
        }
        WriteOptions changed =
                WriteOptions.defaults().toBuilder().name("orders").build();
        assertThat(changed.name()).isEqualTo("orders");
        assertThat(changed.gathering().atMostOnce()).isTrue();
        assertThat(changed.maxPending()).isEqualTo(100_000);
        assertThat(WriteOptions.defaults().name()).isEqualTo("group-commit");
    }

    @Test
    void impossibleArgumentsAreRefusedWithTheirNameAndValue() {
        List<UnaryOperator<WriteOptions.Builder>> wrong = List.of(
                builder -> builder.collectingWaitTime(Duration.ofMillis(-1)),
                builder -> builder.maxRetries(-1),
                builder -> builder.networkTimeout(Duration.ofSeconds(-1)),
                builder -> builder.networkTimeout(Duration.ofDays(25)),
                builder -> builder.closeAtShutdown(Duration.ZERO),
                builder -> builder.maxBatchSize(0),
                builder -> builder.maxConcurrentBatches(0),
                builder -> builder.maxPending(0),
                builder -> builder.callTimeout(Duration.ZERO));
        List<String> names = List.of(
                "collectingWaitTime is PT-0.001S",
                "maxRetries is -1",
                "networkTimeout is PT-1S",
                "networkTimeout is PT600H",
                "closeAtShutdown is PT0S",
                "maxBatchSize is 0",
                "maxConcurrentBatches is 0",
                "maxPending is 0",
                "callTimeout is PT0S");
        for (int index = 0; index < wrong.size(); index++) {
            UnaryOperator<WriteOptions.Builder> setting = wrong.get(index);
            assertThatThrownBy(() -> setting.apply(WriteOptions.builder()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(names.get(index));
        }
    }

    @Test
    void statementsAreEqualIfTheirSqlAndKeysAre() {
        RowStatement statement = RowStatement.of("INSERT INTO a VALUES (?)");
        assertThat(statement)
                .isEqualTo(RowStatement.of("INSERT INTO a VALUES (?)"))
                .hasSameHashCodeAs(RowStatement.of("INSERT INTO a VALUES (?)"))
                .isNotEqualTo(statement.generatedKeys("id"))
                .isNotEqualTo(statement.lockOrder(1))
                .isNotEqualTo(RowStatement.of("INSERT INTO b VALUES (?)"))
                .hasToString("INSERT INTO a VALUES (?)");
        assertThat(statement.generatedKeys("id").generatedKeys()).containsExactly("id");
        assertThatThrownBy(() -> RowStatement.of(" "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sql is blank");
        assertThatThrownBy(() -> statement.generatedKeys(new String[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("columns is empty");
        assertThat(statement.lockOrder(2, 1).generatedKeys("id").lockParameters())
                .containsExactly(2, 1);
        assertThatThrownBy(() -> statement.lockOrder(new int[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("parameters is empty");
        assertThatThrownBy(() -> statement.lockOrder(1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("parameters holds 0");
    }

    @Test
    void onlyAnInsertOfOneRowIsKnownToWriteOne() {
        assertThat(List.of(
                        "INSERT INTO a VALUES (?)",
                        " insert into a (b, c)\n values (?, now()) ;",
                        "INSERT INTO a (b) VALUES (COALESCE(?, (?)))"))
                .allMatch(sql -> StatementText.writesExactlyOneRow(sql));
        assertThat(List.of(
                        "UPDATE a SET b = ?",
                        "INSERT IGNORE INTO a VALUES (?)",
                        "INSERT INTO a VALUES (?), (?)",
                        "INSERT INTO a SELECT ?",
                        "INSERT INTO a VALUES (?) ON CONFLICT DO NOTHING",
                        "INSERT INTO a VALUES (?) ON DUPLICATE KEY UPDATE b = 1",
                        "REPLACE INTO a VALUES (?)"))
                .noneMatch(sql -> StatementText.writesExactlyOneRow(sql));
    }

    @Test
    void aKeyThatIsNotThereIsRefusedWithTheReason() {
        assertThatThrownBy(() -> new RowOutcome(1, List.of(), List.of()).generatedKey())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("RowStatement.generatedKeys");
        assertThatThrownBy(() -> new RowOutcome(0, List.of(), List.of()).generatedKey())
                .hasMessageContaining("wrote no row");
        assertThatThrownBy(() -> new RowOutcome(1, List.of("a"), List.of()).generatedKey())
                .hasMessageContaining("not a number");
    }
}
