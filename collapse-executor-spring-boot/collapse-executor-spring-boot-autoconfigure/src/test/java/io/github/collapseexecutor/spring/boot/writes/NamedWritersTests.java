package io.github.collapseexecutor.spring.boot.writes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.ExecutorClosedException;
import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.jdbc.MergedUpdate;
import io.github.collapseexecutor.jdbc.MergedUpdates;
import io.github.collapseexecutor.jdbc.WriteSummary;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.github.collapseexecutor.spring.jdbc.GroupCommitTemplate;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Writers that are configured by their names: what stands under {@code collapse.executor.writers}. */
class NamedWritersTests extends NamedWritersFixture {

    @Nested
    class OfOneDataSource {

        @Test
        void aWriterIsThereWithoutALineOfConfiguration() throws Exception {
            GroupCommit commits = start("", OneDatabase.class, Told.class).getBean(GroupCommit.class);
            together(() -> commits.execute(INSERT, "one of many"));
            assertThat(rows(context.getBean(DataSource.class))).isEqualTo(CALLERS);
            List<WriteSummary> batches = context.getBean(Told.class).batches;
            assertThat(batches)
                    .hasSizeLessThan(CALLERS)
                    .allSatisfy(batch -> assertThat(batch.writer()).isEqualTo("group-commit"));
        }

        @Test
        void itsSectionSaysHowItGathers() throws Exception {
            start("""
                    collapse.executor.writers:
                      group-commit: {max-batch-size: 3, max-pending: 5}
                    """, OneDatabase.class, Told.class);
            GroupCommit commits = context.getBean(GroupCommit.class);
            Held held = context.getBean(Held.class);
            held.hold();
            List<CompletableFuture<?>> present = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                present.add(commits.submit(INSERT, "row"));
            }
            assertThatThrownBy(() -> commits.submit(INSERT, "row"))
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessageContaining("group-commit");
            held.release();
            for (CompletableFuture<?> row : present) {
                row.get(30, TimeUnit.SECONDS);
            }
            assertThat(context.getBean(Told.class).batches)
                    .allSatisfy(batch -> assertThat(batch.written()).isLessThanOrEqualTo(3));
        }

        @Test
        void aWriterOfTheApplicationTakesItsPlace() {
            start("", OneDatabase.class, OwnWriter.class);
            assertThat(context.getBean(GroupCommit.class)).isSameAs(context.getBean("own"));
            assertThat(context.getBeansOfType(GroupCommitTemplate.class)).hasSize(1);
        }

        @Test
        void mergedUpdatesAreMadeByName() throws Exception {
            start(
                    "collapse.executor.writers: {stock: {max-batch-size: 100}}",
                    OneDatabase.class,
                    Stock.class,
                    Told.class);
            MergedUpdates<Long, Integer> stock = context.getBean(Stock.class).made;
            together(() -> stock.execute(7L, 1));
            assertThat(new JdbcTemplate(context.getBean(DataSource.class))
                            .queryForObject("SELECT balance FROM inventory WHERE id = 7", Integer.class))
                    .isEqualTo(100 - CALLERS);
            assertThat(context.getBean(Told.class).batches)
                    .extracting(WriteSummary::writer)
                    .containsOnly("stock");
        }

        @Test
        void switchedOffEachRowIsABatchOfItsOwn() throws Exception {
            start("collapse.executor.enabled: false", OneDatabase.class, Told.class);
            GroupCommit commits = context.getBean(GroupCommit.class);
            together(() -> commits.execute(INSERT, "alone"));
            assertThat(rows(context.getBean(DataSource.class))).isEqualTo(CALLERS);
            assertThat(context.getBean(Told.class).batches).hasSize(CALLERS);
        }

        @Test
        void inAWholeApplicationItIsMeasuredAndWritesAsJdbcTemplateDoes() throws Exception {
            context = new TestApplication().with(Registry.class).start("""
                    spring:
                      datasource: {url: "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1"}
                    """.formatted(UUID.randomUUID()));
            context.getBean(JdbcTemplate.class).execute(NOTES);
            assertThat(context.getBean(GroupCommitTemplate.class)
                            .insert("INSERT INTO note (text) VALUES (?)", "id", "by the template"))
                    .isEqualTo(1);
            GroupCommit commits = context.getBean(GroupCommit.class);
            together(() -> commits.execute(INSERT, "measured"));
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(registry.get("collapse.rows")
                            .tag("name", "group-commit")
                            .tag("outcome", "written")
                            .counter()
                            .count())
                    .isEqualTo(CALLERS + 1);
            assertThat(registry.get("collapse.pending")
                            .tag("name", "group-commit")
                            .gauge()
                            .value())
                    .isZero();
            assertThat(registry.find("collapse.batch.size")
                            .tag("name", "group-commit")
                            .meter())
                    .as("it would stay at 0, because batches are not measured")
                    .isNull();
        }
    }

    @Nested
    class AtTheEnd {

        @Test
        void rowsThatWereHandedInAreWrittenBeforeTheDataSourceIsClosed() throws Exception {
            start("", OneDatabase.class);
            assertWrittenBeforeTheDataSourceIsClosed(context.getBean(GroupCommit.class));
        }

        @Test
        void soItIsToADataSourceThatTheApplicationHandsIn() throws Exception {
            NamedWriters writers = start("", OneDatabase.class).getBean(NamedWriters.class);
            assertWrittenBeforeTheDataSourceIsClosed(writers.groupCommit("handed-in", context.getBean(Held.class)));
        }

        @Test
        void soItIsToOneThatWrapsIt() throws Exception {
            NamedWriters writers = start("", OneDatabase.class).getBean(NamedWriters.class);
            DataSource wrapped = new DelegatingDataSource(context.getBean(Held.class));
            assertWrittenBeforeTheDataSourceIsClosed(writers.groupCommit("wrapped", wrapped));
        }

        @Test
        void soItIsWithMergedUpdates() {
            NamedWriters writers = start("", OneDatabase.class).getBean(NamedWriters.class);
            MergedUpdate<Long, Integer> update = MergedUpdate.of(
                    "UPDATE inventory SET balance = ? WHERE id = ?", (statement, id, count) -> {}, Math::addExact);
            MergedUpdates<Long, Integer> unused =
                    writers.mergedUpdates("handed-in", update, context.getBean(Held.class));
            assertThat(context.getBeanFactory().getDependentBeans("database")).contains("collapseNamedWriters");
        }

        private void assertWrittenBeforeTheDataSourceIsClosed(GroupCommit commits) throws Exception {
            Held held = context.getBean(Held.class);
            held.hold();
            List<CompletableFuture<?>> present = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                present.add(commits.submit(INSERT, "handed in"));
            }
            CompletableFuture<Void> closing = CompletableFuture.runAsync(context::close);
            while (!refuses(commits)) {
                Thread.onSpinWait();
            }
            held.release();
            closing.get(30, TimeUnit.SECONDS);
            assertThat(present).allSatisfy(row -> assertThat(row).isCompleted());
            assertThat(held.closedAfterAllConnections()).isTrue();
        }

        private static boolean refuses(GroupCommit commits) {
            try {
                commits.submit(INSERT, "one more").cancel(true);
                return false;
            } catch (ExecutorClosedException closed) {
                return true;
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnWriter {

        @Bean
        GroupCommit own(DataSource dataSource) {
            return new GroupCommit(dataSource);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Registry {

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }
}
