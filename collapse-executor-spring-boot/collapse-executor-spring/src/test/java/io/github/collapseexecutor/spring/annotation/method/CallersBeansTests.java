package io.github.collapseexecutor.spring.annotation.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import com.baomidou.dynamic.datasource.DynamicRoutingDataSource;
import com.baomidou.dynamic.datasource.toolkit.DynamicDataSourceContextHolder;
import io.github.collapseexecutor.LoggedEvents;
import io.github.collapseexecutor.spring.annotation.Application;
import io.github.collapseexecutor.spring.annotation.Burst;
import io.github.collapseexecutor.spring.annotation.CallerIdentity;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.annotation.Gate;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.SingletonTargetSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.UserCredentialsDataSourceAdapter;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.context.support.WebApplicationContextUtils;

/** Callers do not share where a method may look at what belongs to the request, the session or the thread of one of them. */
class CallersBeansTests {

    private static final int CALLERS = 20;

    /** Answers with the tenant that it finds. */
    static class Shop {

        // immutable
        private final Gate gate;
        private final Supplier<String> tenant;

        Shop(Gate gate, Supplier<String> tenant) {
            this.gate = gate;
            this.tenant = tenant;
        }

        @Collapsible(name = "price")
        public String price(String product) {
            gate.pass(product);
            return product + " of " + tenant.get();
        }
    }

    private static HttpServletRequest request() {
        return ((ServletRequestAttributes) RequestContextHolder.currentRequestAttributes()).getRequest();
    }

    /** The tenant of a request, or of whatever the scope is of. */
    static class Tenant {

        // immutable
        private final String name = request().getHeader("tenant");

        String name() {
            return name;
        }
    }

    /** Stands between the shop and the tenant. */
    static class Prices {

        // immutable
        private final Tenant tenant;

        Prices(Tenant tenant) {
            this.tenant = tenant;
        }

        String tenant() {
            return tenant.name();
        }
    }

    /** What a web application has: the scopes, and the request for each bean that asks for it. */
    @Configuration(proxyBeanMethods = false)
    static class Web {

        @Bean
        static BeanFactoryPostProcessor scopes() {
            return beans -> {
                WebApplicationContextUtils.registerWebApplicationScopes(beans);
                beans.registerScope("visit", new SimpleThreadScope());
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfARequest extends Web {

        @Bean
        @Scope(value = "request", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Tenant tenant() {
            return new Tenant();
        }

        @Bean
        Prices prices(Tenant tenant) {
            return new Prices(tenant);
        }

        @Bean
        Shop shop(Gate gate, Prices prices) {
            return new Shop(gate, prices::tenant);
        }
    }

    /** A scope that the application has added. */
    @Configuration(proxyBeanMethods = false)
    static class OfAScopeOfItsOwn extends Web {

        @Bean
        @Scope(value = "visit", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Tenant tenant() {
            return new Tenant();
        }

        @Bean
        Shop shop(Gate gate, Tenant tenant) {
            return new Shop(gate, tenant::name);
        }
    }

    /** Asks for it with each call. */
    static class AskingShop extends Shop {

        @SuppressWarnings("unused") // what is looked for
        private final ObjectProvider<Tenant> tenants;

        AskingShop(Gate gate, ObjectProvider<Tenant> tenants) {
            super(gate, () -> tenants.getObject().name());
            this.tenants = tenants;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ThatIsAskedFor extends Web {

        @Bean
        @Scope("request")
        Tenant tenant() {
            return new Tenant();
        }

        @Bean
        AskingShop shop(Gate gate, ObjectProvider<Tenant> tenants) {
            return new AskingShop(gate, tenants);
        }
    }

    /** Looks at the request. */
    static class LookingShop extends Shop {

        @SuppressWarnings("unused") // what is looked for
        private final HttpServletRequest request;

        LookingShop(Gate gate, HttpServletRequest request) {
            super(gate, () -> request.getHeader("tenant"));
            this.request = request;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TheRequest extends Web {

        @Bean
        LookingShop shop(Gate gate, HttpServletRequest request) {
            return new LookingShop(gate, request);
        }
    }

    /** Chooses the database of the tenant. */
    static class Databases extends AbstractRoutingDataSource {

        Databases() {
            setTargetDataSources(Map.of("a", database("a"), "b", database("b")));
        }

        private static DataSource database(String tenant) {
            JdbcDataSource database = new JdbcDataSource();
            database.setUrl("jdbc:h2:mem:tenant-" + tenant);
            return database;
        }

        @Override
        protected Object determineCurrentLookupKey() {
            return request().getHeader("tenant");
        }
    }

    private static String databaseOf(JdbcTemplate jdbc) {
        String catalog = jdbc.queryForObject("select lower(current_catalog)", String.class);
        return String.valueOf(catalog).replace("tenant-", "");
    }

    @Configuration(proxyBeanMethods = false)
    static class TheDatabases {

        @Bean
        DataSource databases() {
            return new Databases();
        }

        @Bean
        JdbcTemplate jdbc(DataSource databases) {
            return new JdbcTemplate(databases);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ShopOnADatabase {

        @Bean
        Shop shop(Gate gate, JdbcTemplate jdbc) {
            return new Shop(gate, () -> databaseOf(jdbc));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({TheDatabases.class, ShopOnADatabase.class})
    static class ADataSource {}

    @Configuration(proxyBeanMethods = false)
    @Import(ShopOnADatabase.class)
    static class AWrappedDataSource extends TheDatabases {

        @Bean
        @Override
        DataSource databases() {
            Databases databases = new Databases();
            databases.afterPropertiesSet();
            return new LazyConnectionDataSourceProxy(databases);
        }
    }

    /** As a library wraps that measures what a data source does. */
    @Configuration(proxyBeanMethods = false)
    @Import(ShopOnADatabase.class)
    static class AProxiedDataSource extends TheDatabases {

        @Bean
        @Override
        DataSource databases() {
            Databases databases = new Databases();
            databases.afterPropertiesSet();
            return ProxyFactory.getProxy(DataSource.class, new SingletonTargetSource(databases));
        }
    }

    /** As a library chooses that does without Spring's class for it. */
    static class ChoosingDatabases extends AbstractDataSource {

        // immutable
        private final Databases databases = new Databases();

        ChoosingDatabases() {
            databases.afterPropertiesSet();
        }

        @Override
        public Connection getConnection() throws SQLException {
            return databases.getConnection();
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return databases.getConnection(user, password);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ShopOnADatabase.class)
    static class ADataSourceThatChooses extends TheDatabases {

        @Bean
        @Override
        DataSource databases() {
            return new ChoosingDatabases();
        }
    }

    /** Chooses as applications with dynamic-datasource do. */
    @Configuration(proxyBeanMethods = false)
    static class ADynamicDataSource {

        @Bean
        DynamicRoutingDataSource databases() {
            DynamicRoutingDataSource databases = new DynamicRoutingDataSource(List.of());
            List.of("a", "b").forEach(tenant -> databases.addDataSource(tenant, Databases.database(tenant)));
            return databases;
        }

        @Bean
        Shop shop(Gate gate, DynamicRoutingDataSource databases) {
            JdbcTemplate jdbc = new JdbcTemplate(databases);
            return new Shop(gate, () -> {
                String unused = DynamicDataSourceContextHolder.push(request().getHeader("tenant"));
                try {
                    return databaseOf(jdbc);
                } finally {
                    DynamicDataSourceContextHolder.clear();
                }
            });
        }
    }

    /** Tells the database the tenant, as row-level security needs it. */
    static class TellingDatabase extends DelegatingDataSource {

        TellingDatabase() {
            super(Databases.database("of-all"));
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            try (Statement statement = connection.createStatement()) {
                statement.execute("set @tenant = '" + request().getHeader("tenant") + "'");
            }
            return connection;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ADataSourceThatTells {

        @Bean
        DataSource databases() {
            return new LazyConnectionDataSourceProxy(new TellingDatabase());
        }

        @Bean
        JdbcTemplate jdbc(DataSource databases) {
            return new JdbcTemplate(databases);
        }

        @Bean
        Shop shop(Gate gate, JdbcTemplate jdbc) {
            return new Shop(gate, () -> String.valueOf(jdbc.queryForObject("select @tenant", String.class)));
        }
    }

    /** Logs in as the user of the thread. */
    @Configuration(proxyBeanMethods = false)
    static class ADataSourceOfUsers {

        @Bean
        UserCredentialsDataSourceAdapter databases() {
            JdbcDataSource database = new JdbcDataSource();
            database.setUrl("jdbc:h2:mem:users;DB_CLOSE_DELAY=-1");
            database.setUser("admin");
            JdbcTemplate admin = new JdbcTemplate(database);
            List.of("a", "b")
                    .forEach(tenant -> admin.execute("create user if not exists " + tenant + " password '' admin"));
            UserCredentialsDataSourceAdapter databases = new UserCredentialsDataSourceAdapter();
            databases.setTargetDataSource(database);
            return databases;
        }

        @Bean
        Shop shop(Gate gate, UserCredentialsDataSourceAdapter databases) {
            JdbcTemplate jdbc = new JdbcTemplate(databases);
            return new Shop(gate, () -> {
                databases.setCredentialsForCurrentThread(
                        request().getHeader("tenant").toUpperCase(Locale.ROOT), "");
                try {
                    return String.valueOf(jdbc.queryForObject("select lower(current_user)", String.class));
                } finally {
                    databases.removeCredentialsFromCurrentThread();
                }
            });
        }
    }

    /** What is the same for all callers. */
    @Configuration(proxyBeanMethods = false)
    static class ForAll extends Web {

        @Bean
        static BeanFactoryPostProcessor refresh() {
            return beans -> beans.registerScope("refresh", new SimpleThreadScope());
        }

        @Bean
        @Scope(value = "refresh", proxyMode = ScopedProxyMode.INTERFACES)
        CharSequence refreshed() {
            return "all";
        }

        @Bean
        @Scope("prototype")
        List<String> own() {
            return new ArrayList<>();
        }

        @Bean
        DataSource database() {
            return new LazyConnectionDataSourceProxy(Databases.database("all"));
        }

        @Bean
        @Scope("request")
        Tenant tenant() {
            return new Tenant();
        }

        @Bean
        ShopWithAnything shop(
                Gate gate,
                CharSequence refreshed,
                List<String> own,
                DataSource database,
                ObjectProvider<Object> anything) {
            return new ShopWithAnything(
                    gate, () -> refreshed.toString() + own.size() + databaseOf(new JdbcTemplate(database)), anything);
        }
    }

    /** Could ask for any bean; nothing says that it does. */
    static class ShopWithAnything extends Shop {

        @SuppressWarnings("unused") // what is looked at
        private final ObjectProvider<Object> anything;

        ShopWithAnything(Gate gate, Supplier<String> tenant, ObjectProvider<Object> anything) {
            super(gate, tenant);
            this.anything = anything;
        }
    }

    /** What counts of a request. */
    @Configuration(proxyBeanMethods = false)
    static class TenantCounts {

        @Bean
        CallerIdentity tenantOfRequest() {
            return () -> request().getHeader("tenant");
        }
    }

    private static String priceFor(String tenant, Application application) {
        return priceFor(tenant, application.get(Shop.class));
    }

    private static String priceFor(String tenant, Shop shop) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.addHeader("tenant", tenant);
        RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
        try {
            return shop.price("tea");
        } finally {
            RequestContextHolder.resetRequestAttributes();
        }
    }

    private static String tenant(int caller) {
        return caller % 2 == 0 ? "a" : "b";
    }

    /** Holds the method until all callers are there: in the executor, or each in the method itself. */
    private static List<String> together(Application application) throws Exception {
        Gate gate = application.get(Gate.class);
        gate.shut();
        List<FutureTask<String>> tasks = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            String tenant = tenant(i);
            tasks.add(Burst.start(() -> priceFor(tenant, application)));
        }
        try {
            await().atMost(60, TimeUnit.SECONDS)
                    .until(() -> gate.executions().size() == CALLERS
                            || application.executor("price").counts().callers() == CALLERS);
        } finally {
            gate.open();
        }
        List<String> answers = new ArrayList<>();
        for (FutureTask<String> task : tasks) {
            answers.add(task.get(60, TimeUnit.SECONDS));
        }
        return answers;
    }

    private static void assertEachHasTheAnswerOfItsTenant(List<String> answers) {
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i)).isEqualTo("tea of " + tenant(i));
        }
    }

    /** Of applications in which the method may look at what belongs to one caller. */
    static List<Class<?>> configurations() {
        return List.of(
                OfARequest.class,
                OfAScopeOfItsOwn.class,
                ThatIsAskedFor.class,
                TheRequest.class,
                ADataSource.class,
                AWrappedDataSource.class,
                AProxiedDataSource.class,
                ADataSourceThatChooses.class,
                ADynamicDataSource.class,
                ADataSourceThatTells.class,
                ADataSourceOfUsers.class);
    }

    @ParameterizedTest
    @MethodSource("configurations")
    void callersDoNotShareAMethodThatMayLookAtTheRequestOfOneOfThem(Class<?> configuration) throws Exception {
        try (LoggedEvents warnings = new LoggedEvents(CallRules.class, Level.WARN);
                Application application = Application.start(configuration)) {
            assertEachHasTheAnswerOfItsTenant(together(application));
            assertThat(application.get(Gate.class).executions()).hasSize(CALLERS);
            assertThat(warnings.messages()).singleElement().asString().contains("Shop.price", "CallerIdentity");
        }
    }

    @ParameterizedTest
    @MethodSource("configurations")
    void callersOfATenantShareWhereABeanSaysThatTheTenantCounts(Class<?> configuration) throws Exception {
        try (LoggedEvents warnings = new LoggedEvents(CallRules.class, Level.WARN);
                Application application = Application.start(configuration, TenantCounts.class)) {
            assertEachHasTheAnswerOfItsTenant(together(application));
            assertThat(application.get(Gate.class).executions()).hasSizeLessThanOrEqualTo(4);
            assertThat(warnings.messages()).isEmpty();
        }
    }

    @Test
    void callersShareAMethodThatUsesWhatIsTheSameForAll() throws Exception {
        try (LoggedEvents warnings = new LoggedEvents(CallRules.class, Level.WARN);
                Application application = Application.start(ForAll.class)) {
            assertThat(together(application)).containsOnly("tea of all0all");
            assertThat(application.get(Gate.class).executions()).hasSizeLessThanOrEqualTo(2);
            assertThat(warnings.messages()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OfARequest.class, TheRequest.class, ADataSource.class})
    void theWarningNamesWhatTheMethodMayLookAt(Class<?> configuration) {
        try (LoggedEvents warnings = new LoggedEvents(CallRules.class, Level.WARN);
                Application application = Application.start(configuration)) {
            assertThat(priceFor("a", application)).isEqualTo("tea of a");
            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .contains(
                            configuration == OfARequest.class
                                    ? "the bean \"tenant\" of scope \"request\""
                                    : configuration == TheRequest.class
                                            ? "the HttpServletRequest in the field \"request\" of the bean \"shop\""
                                            : "the data source \"databases\"");
        }
    }

    /** A web application may have its database in the context above. */
    @Test
    void dataSourceOfTheParentContextCounts() {
        try (LoggedEvents warnings = new LoggedEvents(CallRules.class, Level.WARN);
                AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext(TheDatabases.class);
                AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
            child.setParent(parent);
            child.register(Application.Collapsing.class, ShopOnADatabase.class);
            child.refresh();
            assertThat(priceFor("a", child.getBean(Shop.class))).isEqualTo("tea of a");
            assertThat(warnings.messages()).singleElement().asString().contains("the data source \"databases\"");
        }
    }
}
