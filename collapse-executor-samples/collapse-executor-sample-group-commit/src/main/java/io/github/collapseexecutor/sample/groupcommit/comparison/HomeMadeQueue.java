package io.github.collapseexecutor.sample.groupcommit.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What a user writes without this library: one thread drains a queue and hands all that it finds to a {@link JdbcTemplate}, as one
 * batch. It knows no bad rows: if one fails, all callers of its batch get that failure, and whether their rows are written
 * depends on the driver.
 */
final class HomeMadeQueue implements AutoCloseable {

    private record Pending(List<Object> values, CompletableFuture<Integer> updateCount) {}

    // immutable
    private final BlockingQueue<Pending> queue = new LinkedBlockingQueue<>();
    private final Thread writer;

    HomeMadeQueue(DataSource dataSource, String sql) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        writer = new Thread(() -> writeBatches(jdbc, sql), "home-made-queue");
        writer.setDaemon(true);
        writer.start();
    }

    int write(Object... values) throws Exception {
        Pending pending = new Pending(List.of(values), new CompletableFuture<>());
        queue.add(pending);
        return pending.updateCount().get();
    }

    private void writeBatches(JdbcTemplate jdbc, String sql) {
        List<Pending> batch = new ArrayList<>();
        while (true) {
            try {
                batch.add(queue.take());
                queue.drainTo(batch, 999);
                int[] counts = jdbc.batchUpdate(
                        sql,
                        batch.stream()
                                .map(pending -> pending.values().toArray())
                                .toList());
                for (int index = 0; index < counts.length; index++) {
                    batch.get(index).updateCount().complete(counts[index]);
                }
            } catch (InterruptedException closed) {
                return;
            } catch (RuntimeException failure) {
                batch.forEach(pending -> pending.updateCount().completeExceptionally(failure));
            }
            batch.clear();
        }
    }

    @Override
    public void close() {
        writer.interrupt();
    }
}
