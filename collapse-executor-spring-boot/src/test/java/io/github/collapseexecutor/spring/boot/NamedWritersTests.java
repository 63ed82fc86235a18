package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.ExecutorClosedException;
import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.jdbc.MergedUpdate;
import io.github.collapseexecutor.jdbc.MergedUpdates;
import io.github.collapseexecutor.jdbc.RowStatement;
import io.github.collapseexecutor.jdbc.WriteListener;
import io.github.collapseexecutor.jdbc.WriteSummary;
import io.github.collapseexecutor.spring.jdbc.GroupCommitTemplate;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** Writers that are configured by their names: what stands under {@code collapse.executor.writers}. */
class NamedWritersTests {

    private static final int CALLERS = 40;

    private static final String NOTES = "CREATE TABLE note (id BIGINT GENERATED ALWAYS AS IDENTITY, text VARCHAR(100))";

    private static final RowStatement INSERT = RowStatement.of("INSERT INTO note (text) VALUES (?)");

    private ConfigurableApplicationContext context;

    private ConfigurableApplicationContext start(String yaml, Class<?>... configurations) {
        context = new TestApplication().alone().with(configurations).start(yaml);
        return context;
    }

    @AfterEach
    void close() {
        if (context != null) {
            context.close();
        }
        RecordingFailureAnalysisReporter.take();
    }

    private static void together(Callable<?> call) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Future<?>> answers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                answers.add(threads.submit(call));
            }
            for (Future<?> answer : answers) {
                answer.get(30, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static int rows(DataSource dataSource) {
        Integer rows = new JdbcTemplate(dataSource).queryForObject("SELECT count(*) FROM note", Integer.class);
        return rows == null ? 0 : rows;
    }

    /** Two tenants with a database each; the calling thread says which is meant, and no tenant means the first. */
    @Configuration(proxyBeanMethods = false)
    static class Tenants {

        static final ThreadLocal<String> TENANT = new ThreadLocal<>();

        final Map<Object, Object> databases = Map.of("one", database(), "two", database());

        private static DataSource database() {
            JdbcDataSource database = new JdbcDataSource();
            database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            new JdbcTemplate(database).execute(NOTES);
            return database;
        }

        @Bean
        DataSource dataSource() {
            AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
                @Override
                protected Object determineCurrentLookupKey() {
                    return TENANT.get();
                }
            };
            routing.setTargetDataSources(databases);
            routing.setDefaultTargetDataSource(databases.get("one"));
            routing.afterPropertiesSet();
            return new LazyConnectionDataSourceProxy(routing);
        }
    }

    @Nested
    class OfSeveralTenants {

        private static final String REMEDY =
                "Name the data source of one database as collapse.executor.writers.group-commit.data-source";

        @Test
        void aWriterThatWouldWriteForAnotherTenantIsRefused() {
            start("", Tenants.class);
            assertThatThrownBy(() -> context.getBean(GroupCommitTemplate.class))
                    .hasStackTraceContaining("asks the calling thread which database is meant")
                    .hasStackTraceContaining(REMEDY);
            assertThatThrownBy(() -> context.getBean(GroupCommit.class)).hasStackTraceContaining(REMEDY);
            assertThatThrownBy(() -> context.getBean(NamedWriters.class).groupCommit("notes"))
                    .hasMessageContaining("collapse.executor.writers.notes.data-source");
        }

        @Test
        void eachTenantHasAWriterOfItsOwn() throws Exception {
            start("", Tenants.class);
            NamedWriters writers = context.getBean(NamedWriters.class);
            DataSource two =
                    (DataSource) context.getBean(Tenants.class).databases.get("two");
            GroupCommit commits = writers.groupCommit("two", two);
            together(() -> commits.execute(INSERT, "of the second tenant"));
            assertThat(rows(two)).isEqualTo(CALLERS);
        }
    }

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
                      datasource: {url: "jdbc:h2:mem:whole;DB_CLOSE_DELAY=-1"}
                    """);
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
        }
    }

    @Nested
    class OfSeveralDataSources {

        private static final String YAML = """
                collapse.executor.writers:
                  orders: {data-source: ordersDatabase}
                  audit: {data-source: auditDatabase, max-batch-size: 2}
                """;

        @Test
        void eachNameIsThatOfABeanForItsDataSource() throws Exception {
            TwoWriters writers =
                    start(YAML, TwoDatabases.class, TwoWriters.class).getBean(TwoWriters.class);
            writers.orders.execute(INSERT, "an order");
            writers.audit.execute(INSERT, "who");
            writers.audit.execute(INSERT, "when");
            assertThat(rows(context.getBean("ordersDatabase", DataSource.class)))
                    .isEqualTo(1);
            assertThat(rows(context.getBean("auditDatabase", DataSource.class))).isEqualTo(2);
        }

        @Test
        void aWriterWithoutADataSourceSaysWhatIsMissing() {
            NamedWriters writers = start("", TwoDatabases.class).getBean(NamedWriters.class);
            assertThatThrownBy(() -> writers.groupCommit("notes"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("several data sources")
                    .hasMessageContaining("name one as collapse.executor.writers.notes.data-source");
        }

        @Test
        void oneMayBeHandedIn() throws Exception {
            NamedWriters writers = start("", TwoDatabases.class).getBean(NamedWriters.class);
            DataSource audit = context.getBean("auditDatabase", DataSource.class);
            writers.groupCommit("notes", audit).execute(INSERT, "handed in");
            assertThat(rows(audit)).isEqualTo(1);
        }
    }

    @Nested
    class AtTheEnd {

        @Test
        void whatWasHandedInIsWrittenBeforeTheDataSourceIsClosed() throws Exception {
            start("", OneDatabase.class);
            Held held = context.getBean(Held.class);
            GroupCommit commits = context.getBean(GroupCommit.class);
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

    @Nested
    @ExtendWith(OutputCaptureExtension.class)
    class Mistakes {

        @ParameterizedTest
        @CsvSource({
            "max-batch-size, 0,   max-batch-size",
            "max-retries,    -1,  max-retries",
            "network-timeout, 25d, network-timeout",
            "call-timeout,   0s,  call-timeout",
            "in-transaction, never, in-transaction",
        })
        void aValueThatIsNotAllowedIsRefusedByItsProperty(String key, String value, String property) {
            assertThat(new TestApplication()
                            .alone()
                            .with(OneDatabase.class)
                            .failure("collapse.executor.writers: {orders: {" + key + ": " + value + "}}"))
                    .contains("Property: collapse.executor.writers.orders." + property)
                    .contains("Value: \"" + value + "\"");
        }

        @Test
        void anUnknownDataSourceHasASuggestion() {
            assertThat(new TestApplication()
                            .alone()
                            .with(TwoDatabases.class)
                            .failure("collapse.executor.writers: {orders: {data-source: orderDatabase}}"))
                    .contains("Property: collapse.executor.writers.orders.data-source")
                    .contains("there is no DataSource bean of this name; did you mean ordersDatabase?")
                    .contains("Name one of");
        }

        @Test
        void anUnknownKeyHasASuggestion() {
            assertThat(new TestApplication().alone().failure("collapse.executor.writers: {orders: {batch-size: 3}}"))
                    .contains("collapse.executor.writers.orders has no key batch-size; did you mean max-batch-size?");
        }

        @Test
        void theNameIsTheKey() {
            assertThat(new TestApplication().alone().failure("collapse.executor.writers: [{name: orders}]"))
                    .contains("the name of a writer is its key");
        }

        @Test
        void aNameThatNobodyUsesIsWarnedOfOnce(CapturedOutput output) {
            start("""
                    collapse.executor.writers:
                      group-comit: {max-batch-size: 3}
                      stock: {max-batch-size: 100}
                    """, OneDatabase.class, Stock.class);
            assertThat(output.getAll())
                    .containsOnlyOnce(
                            "collapse.executor.writers.group-comit configures nothing: no writer has this name;"
                                    + " did you mean group-commit? Inject the bean of this name")
                    .doesNotContain("writers.stock");
        }
    }

    /** A database whose connections can be held back. */
    static final class Held extends DelegatingDataSource implements AutoCloseable {

        private final CopyOnWriteArrayList<String> events = new CopyOnWriteArrayList<>();
        private volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

        Held(DataSource target) {
            super(target);
        }

        void hold() {
            gate = new CompletableFuture<>();
        }

        void release() {
            gate.complete(null);
        }

        @Override
        public Connection getConnection() throws SQLException {
            gate.join();
            events.add("connection");
            return super.getConnection();
        }

        @Override
        public void close() {
            events.add("closed");
        }

        boolean closedAfterAllConnections() {
            return events.indexOf("closed") == events.size() - 1 && events.contains("connection");
        }
    }

    private static Held database(String... statements) {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        JdbcTemplate template = new JdbcTemplate(database);
        template.execute(NOTES);
        Arrays.stream(statements).forEach(template::execute);
        return new Held(database);
    }

    @Configuration(proxyBeanMethods = false)
    static class OneDatabase {

        /** Made after the writers' factory, so that by itself Spring would close it first. */
        @Bean
        @Lazy
        Held database() {
            return NamedWritersTests.database(
                    "CREATE TABLE inventory (id BIGINT PRIMARY KEY, balance INT NOT NULL)",
                    "INSERT INTO inventory VALUES (7, 100)");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {

        @Bean
        Held ordersDatabase() {
            return NamedWritersTests.database();
        }

        @Bean
        Held auditDatabase() {
            return NamedWritersTests.database();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoWriters {

        final GroupCommit orders;
        final GroupCommit audit;

        TwoWriters(@Qualifier("orders") GroupCommit orders, @Qualifier("audit") GroupCommit audit) {
            this.orders = orders;
            this.audit = audit;
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
    static class Stock {

        final MergedUpdates<Long, Integer> made;

        Stock(NamedWriters writers) {
            made = writers.mergedUpdates(
                    "stock",
                    MergedUpdate.of(
                            "UPDATE inventory SET balance = balance - ? WHERE id = ? AND balance >= ?",
                            (statement, id, count) -> {
                                statement.setInt(1, count);
                                statement.setLong(2, id);
                                statement.setInt(3, count);
                            },
                            Math::addExact));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Told {

        final List<WriteSummary> batches = new CopyOnWriteArrayList<>();

        @Bean
        WriteListener told() {
            return batches::add;
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
