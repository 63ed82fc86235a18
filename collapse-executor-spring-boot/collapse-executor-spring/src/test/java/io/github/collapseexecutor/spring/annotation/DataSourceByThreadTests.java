package io.github.collapseexecutor.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import com.baomidou.dynamic.datasource.DynamicRoutingDataSource;
import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.SingletonTargetSource;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.ShardingKeyDataSourceAdapter;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.UserCredentialsDataSourceAdapter;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** Which data sources may ask the thread, by themselves and behind whatever wraps them. */
class DataSourceByThreadTests {

    private static final String URL = "jdbc:h2:mem:of-a-thread";

    private static DataSource database() {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl(URL);
        return database;
    }

    /** Finds no database where the thread has no tenant. */
    static class Routing extends AbstractRoutingDataSource {

        Routing() {
            setTargetDataSources(Map.of("a", database()));
            afterPropertiesSet();
        }

        @Override
        protected @Nullable Object determineCurrentLookupKey() {
            return null;
        }
    }

    /** Finds connections in a way of its own. */
    static class Choosing extends AbstractDataSource {

        @Override
        public Connection getConnection() throws SQLException {
            return database().getConnection();
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return database().getConnection(user, password);
        }
    }

    /** Does something to each connection. */
    static class Telling extends DelegatingDataSource {

        Telling() {
            super(database());
        }
    }

    /** A proxy that is not Spring's. */
    private static DataSource proxyOf(DataSource target) {
        return proxy((proxy, method, arguments) -> invoked(method, target, arguments));
    }

    /** Answers as pools do: it is the data source itself, and gives out what it wraps by its class only. */
    private static DataSource pooling(DataSource target) {
        return proxy((proxy, method, arguments) -> {
            boolean ofItself = arguments != null && arguments[0] == DataSource.class;
            return switch (method.getName()) {
                case "isWrapperFor" ->
                    ofItself || invoked(method, target, arguments).equals(true);
                case "unwrap" -> ofItself ? proxy : invoked(method, target, arguments);
                default -> invoked(method, target, arguments);
            };
        });
    }

    private static DataSource proxy(InvocationHandler handler) {
        return (DataSource) Proxy.newProxyInstance(
                DataSourceByThreadTests.class.getClassLoader(), new Class<?>[] {DataSource.class}, handler);
    }

    private static Object invoked(Method method, DataSource target, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private static DataSource interceptedByInterface(DataSource target) {
        return ProxyFactory.getProxy(DataSource.class, new SingletonTargetSource(target));
    }

    private static DataSource interceptedByClass(DataSource target) {
        ProxyFactory factory = new ProxyFactory(target);
        factory.setProxyTargetClass(true);
        return (DataSource) factory.getProxy();
    }

    private record Wrapping(String name, UnaryOperator<DataSource> by) {}

    private static Stream<Wrapping> wrappings() {
        return Stream.of(
                new Wrapping("alone", dataSource -> dataSource),
                new Wrapping("lazy", LazyConnectionDataSourceProxy::new),
                new Wrapping("in transactions", TransactionAwareDataSourceProxy::new),
                new Wrapping(
                        "lazy, in transactions",
                        dataSource ->
                                new TransactionAwareDataSourceProxy(new LazyConnectionDataSourceProxy(dataSource))),
                new Wrapping(
                        "as in a pool, lazy", dataSource -> pooling(new LazyConnectionDataSourceProxy(dataSource))),
                new Wrapping("JDK proxy", DataSourceByThreadTests::proxyOf),
                new Wrapping(
                        "JDK proxy around lazy", dataSource -> proxyOf(new LazyConnectionDataSourceProxy(dataSource))),
                new Wrapping(
                        "lazy around JDK proxy", dataSource -> new LazyConnectionDataSourceProxy(proxyOf(dataSource))),
                new Wrapping("Spring's proxy of the interface", DataSourceByThreadTests::interceptedByInterface),
                new Wrapping(
                        "Spring's proxy of a class",
                        dataSource -> interceptedByClass(new LazyConnectionDataSourceProxy(dataSource))));
    }

    private static DataSource pool() {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(URL);
        return pool;
    }

    private static DynamicRoutingDataSource ofALibrary() {
        DynamicRoutingDataSource databases = new DynamicRoutingDataSource(List.of());
        databases.addDataSource("a", database());
        return databases;
    }

    /** A data source, and whether the thread chooses its database, or only what is seen of it. */
    private record Example(DataSource dataSource, boolean choosesDatabase, boolean choosesData) {}

    private static List<Example> examples() {
        return List.of(
                new Example(database(), false, false),
                new Example(pool(), false, false),
                new Example(new DriverManagerDataSource(URL), false, false),
                new Example(new Routing(), true, true),
                new Example(ofALibrary(), true, true),
                new Example(new Choosing(), true, true),
                new Example(new ShardingKeyDataSourceAdapter(database()), true, true),
                new Example(new Telling(), false, true),
                new Example(users(), false, true));
    }

    static Stream<Arguments> dataSources() {
        return wrappings()
                .flatMap(wrapping -> examples().stream()
                        .map(example -> Arguments.of(
                                wrapping.name(),
                                example.dataSource().getClass(),
                                wrapping.by().apply(example.dataSource()),
                                example.choosesDatabase(),
                                example.choosesData())));
    }

    private static DataSource users() {
        UserCredentialsDataSourceAdapter users = new UserCredentialsDataSourceAdapter();
        users.setTargetDataSource(database());
        return users;
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("dataSources")
    void theOneThatMayAskTheThreadIsFound(
            String wrapping, Class<?> type, DataSource dataSource, boolean database, boolean data) {
        assertThat(DataSourceByThread.choosingDatabase(dataSource)).isEqualTo(database ? type : null);
        assertThat(DataSourceByThread.choosingData(dataSource)).isEqualTo(data ? type : null);
    }
}
