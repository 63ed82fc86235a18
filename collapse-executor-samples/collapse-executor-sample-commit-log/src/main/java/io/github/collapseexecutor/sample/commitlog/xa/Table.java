package io.github.collapseexecutor.sample.commitlog.xa;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/** The rows of the committed transactions, in memory. A reader sees a transaction as a whole or not at all. */
final class Table {

    // immutable
    private final ReadWriteLock lock = new ReentrantReadWriteLock();

    // mutable, guarded by lock
    private final Map<String, String> rows = new HashMap<>();

    void apply(Map<String, String> written) {
        lock.writeLock().lock();
        try {
            rows.putAll(written);
        } finally {
            lock.writeLock().unlock();
        }
    }

    void apply(List<Prepared> transactions) {
        lock.writeLock().lock();
        try {
            transactions.forEach(transaction -> rows.putAll(transaction.rows()));
        } finally {
            lock.writeLock().unlock();
        }
    }

    @Nullable String read(String key) {
        lock.readLock().lock();
        try {
            return rows.get(key);
        } finally {
            lock.readLock().unlock();
        }
    }

    Map<String, String> rows() {
        lock.readLock().lock();
        try {
            return Map.copyOf(rows);
        } finally {
            lock.readLock().unlock();
        }
    }
}
