package io.github.collapseexecutor.foreign.annotation;

import static java.util.Objects.requireNonNull;

import com.zaxxer.hikari.HikariDataSource;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.foreign.annotation.Question.Place;
import io.github.collapseexecutor.foreign.annotation.SetUp.Shape;
import io.github.collapseexecutor.foreign.annotation.SetUp.Sight;
import io.github.collapseexecutor.spring.annotation.CallInTransaction;
import io.github.collapseexecutor.spring.annotation.CollapsingSettings;
import io.github.collapseexecutor.spring.annotation.config.EnableCollapsing;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.RequestScope;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.context.request.SessionScope;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/** The application of a set-up, with collapsing or without. */
final class Application implements AutoCloseable {

    @Configuration(proxyBeanMethods = false)
    @EnableCollapsing
    static class Collapsing {}

    /** A principal of which nothing can be compared. */
    private static final class Incomparable {

        @Override
        public String toString() {
            return "custom";
        }
    }

    private static final int SECONDS = 60;

    // immutable
    private final SetUp setUp;
    private final Class<?> type;
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final HikariDataSource database = new HikariDataSource();

    /** Starts it; {@code type} is the class of {@link Source}. */
    Application(SetUp setUp, Class<?> type, boolean collapsing) {
        this.setUp = setUp;
        this.type = type;
        try {
            database.setJdbcUrl("jdbc:h2:mem:" + System.nanoTime() + ";LOCK_TIMEOUT=20000");
            database.setMaximumPoolSize(30);
            database.setMinimumIdle(1);
            JdbcTemplate jdbc = new JdbcTemplate(database);
            jdbc.execute("create table rows (id varchar primary key, version bigint)");
            jdbc.execute("insert into rows values ('key 1', 0), ('other', 0)");
            context.setClassLoader(type.getClassLoader());
            context.getBeanFactory().registerScope("request", new RequestScope());
            context.getBeanFactory().registerScope("session", new SessionScope());
            context.getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource("set-up", Surroundings.properties(setUp)));
            Surroundings.register(setUp, context, database);
            context.registerBean(
                    Backend.class, () -> new Backend(setUp, jdbc, context.getBeanProvider(EntityManagerFactory.class)));
            if (collapsing) {
                context.register(Collapsing.class);
                context.registerBean(
                        CollapsingSettings.class,
                        () -> new CollapsingSettings(
                                CollapseOptions.builder().maxWaitRatio(0.9).build(), CallInTransaction.PASS));
            }
            context.register(nested("Config"));
            context.refresh();
            makeBean();
            if (setUp.persistence()) {
                try (EntityManager entities =
                        context.getBean(EntityManagerFactory.class).createEntityManager()) {
                    entities.getTransaction().begin();
                    entities.persist(new Item("one"));
                    entities.getTransaction().commit();
                }
            }
        } catch (RuntimeException | Error failure) {
            close();
            throw failure;
        }
    }

    /** Beans that are made later show mistakes later. */
    private void makeBean() {
        boolean isScoped = setUp.shape() == Shape.REQUEST || setUp.shape() == Shape.SESSION;
        RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(new MockHttpServletRequest()));
        try {
            Object unused = context.getBean(isScoped ? "scopedTarget.service" : "service");
        } finally {
            RequestContextHolder.resetRequestAttributes();
        }
    }

    private Class<?> nested(String name) {
        return Arrays.stream(type.getDeclaredClasses())
                .filter(nested -> nested.getSimpleName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    Backend backend() {
        return context.getBean(Backend.class);
    }

    /** The method as a caller finds it, who knows the interface or the class. */
    private Method method(Object bean) {
        boolean hasInterface = setUp.shape() == Shape.INTERFACE || setUp.shape() == Shape.GENERIC;
        boolean byInterface = Proxy.isProxyClass(bean.getClass()) || (hasInterface && setUp.flag());
        Method method = Arrays.stream(nested(byInterface ? "Api" : "Service").getDeclaredMethods())
                .filter(found -> found.getName().equals("find") && !found.isBridge())
                .findFirst()
                .orElseThrow();
        method.setAccessible(true);
        return method;
    }

    /** Makes a call, as its caller. */
    Reply ask(Question question) {
        Authentication user = userOf(question);
        RequestAttributes request = new ServletRequestAttributes(new MockHttpServletRequest());
        SecurityContextHolder.setContext(new SecurityContextImpl(user));
        LocaleContextHolder.setLocale(question.locale());
        RequestContextHolder.setRequestAttributes(request);
        MDC.put("call", question.toString());
        if (setUp.looksAt(Sight.SCOPED)) {
            context.getBean(Backend.Scoped.class).set(String.valueOf(question.user()));
        }
        PlatformTransactionManager transactions = context.getBean(PlatformTransactionManager.class);
        TransactionStatus transaction =
                question.place() == Place.TRANSACTION ? transactions.getTransaction(null) : null;
        EntityManager session = question.place() == Place.SESSION && setUp.persistence() ? openSession() : null;
        String text;
        long written = 0;
        try {
            written = setUp.looksAt(Sight.DATABASE) ? backend().write(question.key()) : 0;
            text = Reply.shown(answer(question));
        } catch (Throwable failure) {
            text = Reply.failed(failure);
        } finally {
            if (session != null) {
                TransactionSynchronizationManager.unbindResource(context.getBean(EntityManagerFactory.class));
                session.close();
            }
        }
        if (transaction != null) {
            text += transaction.isRollbackOnly() ? " and its transaction is lost" : "";
            transactions.rollback(transaction);
        }
        List<String> left = new ArrayList<>();
        leaves(SecurityContextHolder.getContext().getAuthentication() != user, "a user", left);
        leaves(!LocaleContextHolder.getLocale().equals(question.locale()), "a language", left);
        leaves(RequestContextHolder.getRequestAttributes() != request, "a request", left);
        leaves(
                !question.toString().equals(MDC.get("call"))
                        || MDC.getCopyOfContextMap().size() > 1,
                "a log context",
                left);
        leaves(!TransactionSynchronizationManager.getResourceMap().isEmpty(), "a resource", left);
        leaves(TransactionSynchronizationManager.isSynchronizationActive(), "a synchronization", left);
        leaves(TransactionSynchronizationManager.isActualTransactionActive(), "a transaction", left);
        leaves(Thread.interrupted(), "an interruption", left);
        SecurityContextHolder.clearContext();
        LocaleContextHolder.resetLocaleContext();
        RequestContextHolder.resetRequestAttributes();
        MDC.clear();
        return Reply.of(left.isEmpty() ? text : text + " and leaves " + left, written);
    }

    private EntityManager openSession() {
        EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
        EntityManager session = factory.createEntityManager();
        TransactionSynchronizationManager.bindResource(factory, new EntityManagerHolder(session));
        return session;
    }

    private static void leaves(boolean present, String what, List<String> left) {
        if (present) {
            left.add(what);
        }
    }

    private static @Nullable Authentication userOf(Question question) {
        String name = question.user();
        if (name == null) {
            return null;
        }
        Object principal = name.equals("custom") ? new Incomparable() : name;
        String[] rights = name.equals("eve") ? new String[0] : new String[] {"READ"};
        return new TestingAuthenticationToken(principal, "", rights);
    }

    private @Nullable Object answer(Question question) throws Throwable {
        Object bean = context.getBean("service");
        Object returned;
        try {
            Object other = question.other() < 0 ? null : setUp.other().of(question.other());
            returned = method(bean).invoke(bean, question.key(), other);
        } catch (InvocationTargetException failure) {
            throw requireNonNull(failure.getCause());
        }
        try {
            if (returned instanceof CompletionStage<?> stage) {
                return stage.toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
            }
            return returned instanceof Mono<?> mono ? mono.toFuture().get(SECONDS, TimeUnit.SECONDS) : returned;
        } catch (ExecutionException failure) {
            throw Exceptions.unwrap(requireNonNull(failure.getCause()));
        }
    }

    @Override
    public void close() {
        context.close();
        database.close();
    }
}
