package io.github.collapseexecutor.foreign.annotation;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.foreign.annotation.SetUp.Sight;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Collection;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What the methods of a set-up do: they say what they see, and what stands in the database. */
public class Backend {

    /** Has each call counted, by an aspect of the application. */
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Audited {}

    /** Has the user's name added to each answer, by an aspect of the application. */
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Masked {}

    /** Keeps a user out, by an aspect of the application. */
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Guarded {}

    /** A bean of one request or session. */
    public static class Scoped {

        // mutable, confined to a request
        private String value = "nobody's";

        /** Sets what is another one for each caller. */
        public void set(String newValue) {
            value = newValue;
        }

        /** Returns it. */
        public String value() {
            return value;
        }
    }

    // immutable
    private final SetUp setUp;
    private final JdbcTemplate jdbc;
    private final ObjectProvider<EntityManagerFactory> entities;

    // mutable, thread-safe
    private final AtomicInteger executions = new AtomicInteger();
    private final AtomicInteger audited = new AtomicInteger();
    private final Map<String, Integer> ticks = new ConcurrentHashMap<>();
    private volatile long pauseNanos;

    Backend(SetUp setUp, JdbcTemplate jdbc, ObjectProvider<EntityManagerFactory> entities) {
        this.setUp = setUp;
        this.jdbc = jdbc;
        this.entities = entities;
    }

    /** Has each execution take some time. */
    void pause(long nanos) {
        pauseNanos = nanos;
    }

    int executions() {
        return executions.get();
    }

    int audited() {
        return audited.get();
    }

    /** Is called by the method of a set-up; null for a key that asks for it. */
    public @Nullable String answer(@Nullable String key, @Nullable Object other, @Nullable Scoped scoped)
            throws Exception {
        executions.incrementAndGet();
        StringBuilder text = new StringBuilder(key + "(" + described(other) + ")");
        if (setUp.looksAt(Sight.USER)) {
            Authentication user = SecurityContextHolder.getContext().getAuthentication();
            text.append(" for ").append(user == null ? "nobody" : user.getName() + user.getAuthorities());
        }
        if (setUp.looksAt(Sight.LOCALE)) {
            text.append(" in ").append(LocaleContextHolder.getLocale());
        }
        if (setUp.looksAt(Sight.TRANSACTION)) {
            text.append(TransactionSynchronizationManager.isActualTransactionActive() ? " tx" : " no tx")
                    .append(TransactionSynchronizationManager.isCurrentTransactionReadOnly());
        }
        if (scoped != null) {
            text.append(" of ").append(scoped.value());
        }
        if (setUp.looksAt(Sight.DATABASE)) {
            text.append(" @").append(version(key));
        }
        if (pauseNanos > 0) {
            TimeUnit.NANOSECONDS.sleep(pauseNanos);
        }
        if (key != null && key.startsWith("fails")) {
            throw failure(key);
        }
        return "null".equals(key) ? null : text.toString();
    }

    private static Exception failure(String key) {
        return switch (key) {
            case "fails checked" -> new java.io.IOException("fails checked");
            case "fails argument" -> new IllegalArgumentException("fails argument");
            default -> new IllegalStateException(key);
        };
    }

    /** Is called by the method that a library calls after a failure. */
    public String fallback(@Nullable String key, Throwable failure) {
        return key + " falls back " + failure.getClass().getSimpleName();
    }

    /** Returns an entity as a method finds it, with a text that is not stored. */
    public Item item(String text) {
        EntityManagerFactory factory = entities.getObject();
        EntityManager bound = EntityManagerFactoryUtils.getTransactionalEntityManager(factory);
        if (bound != null) {
            return requireNonNull(bound.find(Item.class, "one")).with(text);
        }
        try (EntityManager own = factory.createEntityManager()) {
            return requireNonNull(own.find(Item.class, "one")).with(text);
        }
    }

    /** Is called by a scheduler. */
    public void tick() {
        ticks.merge("tick", 1, Integer::sum);
    }

    private long version(@Nullable String key) {
        return requireNonNull(jdbc.queryForObject("select version from rows where id = ?", Long.class, row(key)));
    }

    private static String row(@Nullable String key) {
        return key != null && key.endsWith("1") ? "key 1" : "other";
    }

    /** Writes, as its caller; returns what then stands there. */
    long write(@Nullable String key) {
        jdbc.update("update rows set version = version + 1 where id = ?", row(key));
        return version(key);
    }

    static String described(@Nullable Object value) {
        if (value instanceof byte[] bytes) {
            return "bytes " + bytes.length;
        }
        if (value instanceof Collection<?> all && !(value instanceof java.util.List)) {
            return new TreeSet<>(all).toString();
        }
        return String.valueOf(value);
    }

    /** The aspects of the application, whose order is that of the set-up. */
    @Aspect
    static class Auditing implements Ordered {

        // immutable
        private final Backend backend;

        Auditing(Backend backend) {
            this.backend = backend;
        }

        @Around("@annotation(io.github.collapseexecutor.foreign.annotation.Backend.Audited)"
                + " && execution(* *..Service.find(..))")
        Object around(ProceedingJoinPoint call) throws Throwable {
            backend.audited.incrementAndGet();
            return call.proceed();
        }

        @Override
        public int getOrder() {
            return backend.orderOf(Layer.AUDIT);
        }
    }

    /** Adds the caller's user. */
    @Aspect
    static class Masking implements Ordered {

        // immutable
        private final Backend backend;

        Masking(Backend backend) {
            this.backend = backend;
        }

        @Around(
                "@annotation(io.github.collapseexecutor.foreign.annotation.Backend.Masked) && execution(* *..Service.find(..))")
        @Nullable Object around(ProceedingJoinPoint call) throws Throwable {
            Object answer = call.proceed();
            Authentication user = SecurityContextHolder.getContext().getAuthentication();
            return answer instanceof String text
                    ? text + " seen by " + (user == null ? "nobody" : user.getName())
                    : answer;
        }

        @Override
        public int getOrder() {
            return backend.orderOf(Layer.MASK);
        }
    }

    /** Keeps eve out. */
    @Aspect
    static class Guarding implements Ordered {

        // immutable
        private final Backend backend;

        Guarding(Backend backend) {
            this.backend = backend;
        }

        @Around(
                "@annotation(io.github.collapseexecutor.foreign.annotation.Backend.Guarded) && execution(* *..Service.find(..))")
        @Nullable Object around(ProceedingJoinPoint call) throws Throwable {
            Authentication user = SecurityContextHolder.getContext().getAuthentication();
            if (user != null && user.getName().equals("eve")) {
                throw new IllegalStateException("eve is kept out");
            }
            return call.proceed();
        }

        @Override
        public int getOrder() {
            return backend.orderOf(Layer.DENY);
        }
    }

    private int orderOf(Layer layer) {
        return setUp.usualOrder() ? 0 : setUp.order(layer);
    }
}
