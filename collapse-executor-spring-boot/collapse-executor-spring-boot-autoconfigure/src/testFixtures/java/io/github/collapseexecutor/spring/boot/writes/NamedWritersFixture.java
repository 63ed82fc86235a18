package io.github.collapseexecutor.spring.boot.writes;

import io.github.collapseexecutor.jdbc.MergedUpdate;
import io.github.collapseexecutor.jdbc.MergedUpdates;
import io.github.collapseexecutor.jdbc.RowStatement;
import io.github.collapseexecutor.jdbc.WriteListener;
import io.github.collapseexecutor.jdbc.WriteSummary;
import io.github.collapseexecutor.spring.boot.fixture.RecordingFailureAnalysisReporter;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Applications with writers of a database or two, which tests can hold back and look into. */
abstract class NamedWritersFixture {

    static final int CALLERS = 40;

    static final String NOTES = "CREATE TABLE note (id BIGINT GENERATED ALWAYS AS IDENTITY, text VARCHAR(100))";

    static final RowStatement INSERT = RowStatement.of("INSERT INTO note (text) VALUES (?)");

    ConfigurableApplicationContext context;

    ConfigurableApplicationContext start(String yaml, Class<?>... configurations) {
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

    static void together(Callable<?> call) throws Exception {
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

    static int rows(DataSource dataSource) {
        Integer rows = new JdbcTemplate(dataSource).queryForObject("SELECT count(*) FROM note", Integer.class);
        return rows == null ? 0 : rows;
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

    static Held database(String... statements) {
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
            return NamedWritersFixture.database(
                    "CREATE TABLE inventory (id BIGINT PRIMARY KEY, balance INT NOT NULL)",
                    "INSERT INTO inventory VALUES (7, 100)");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {

        @Bean
        Held ordersDatabase() {
            return NamedWritersFixture.database();
        }

        @Bean
        Held auditDatabase() {
            return NamedWritersFixture.database();
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
}
