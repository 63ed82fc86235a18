package io.github.collapseexecutor.sample.groupcommit.comparison;

import com.zaxxer.hikari.HikariDataSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.springframework.jdbc.core.JdbcTemplate;

/** Several ways to do the same work over one pool, and how much of it has been done. */
final class Ways implements AutoCloseable {

    static final String SINGLE = "single rows";
    static final String QUEUE = "home-made queue";
    static final String GROUP = "group commit";

    /**
     * One of them.
     *
     * @param write does the work once, and returns whether that has succeeded
     */
    record Way(String name, Callable<Boolean> write) {}

    // immutable
    private final HikariDataSource pool;

    // mutable, confined to the thread that compares
    private final List<Way> all = new ArrayList<>();
    private final Deque<Runnable> resources = new ArrayDeque<>();
    private String question = "";
    private LongSupplier expected = () -> 0;

    Ways(HikariDataSource pool) {
        this.pool = pool;
        resources.push(pool::close);
    }

    HikariDataSource pool() {
        return pool;
    }

    /** Closes something at the end, before the pool. */
    <R> R closing(R resource, Consumer<R> close) {
        resources.push(() -> close.accept(resource));
        return resource;
    }

    void add(String name, Callable<Boolean> write) {
        all.add(new Way(name, write));
    }

    /**
     * Says how to find out whether anything was lost.
     *
     * @param sql gives how often the work was done, as the database has it
     * @param times how often it was done, as its callers were told
     */
    Ways expecting(String sql, LongSupplier times) {
        question = sql;
        expected = times;
        return this;
    }

    List<Way> all() {
        return List.copyOf(all);
    }

    /** How much more, or less, the database has than its callers were told; 0 if nothing was lost. */
    long difference() {
        Long stored = new JdbcTemplate(pool).queryForObject(question, Long.class);
        return (stored == null ? 0 : stored) - expected.getAsLong();
    }

    @Override
    public void close() {
        resources.forEach(Runnable::run);
    }
}
