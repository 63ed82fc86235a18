package io.github.collapseexecutor.sample.rpcmerge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks every millisecond for what waits, and sends what waits for one link together: what {@link MergingSender} is
 * compared with.
 */
final class PollingSender implements Sender {

    private static final long INTERVAL_NANOS = 1_000_000;

    // immutable
    private final Map<Link, Queue<Outgoing>> waiting = new ConcurrentHashMap<>();
    private final Thread poll = new Thread(this::poll, RpcClient.THREADS + "-poll");

    // mutable, false until the sender is closed
    private volatile boolean closed;

    PollingSender() {
        poll.setDaemon(true);
        poll.start();
    }

    @Override
    public CompletableFuture<? extends @Nullable Object> send(Outgoing message) {
        waiting.computeIfAbsent(message.link, link -> new ConcurrentLinkedQueue<>())
                .add(message);
        return message.outcome();
    }

    private void poll() {
        while (!closed) {
            LockSupport.parkNanos(this, INTERVAL_NANOS);
            waiting.forEach(PollingSender::sendAll);
        }
    }

    private static void sendAll(Link link, Queue<Outgoing> queue) {
        List<Outgoing> messages = new ArrayList<>();
        for (Outgoing message = queue.poll(); message != null; message = queue.poll()) {
            messages.add(message);
        }
        if (messages.isEmpty()) {
            return;
        }
        link.loop().execute(() -> {
            CompletableFuture<@Nullable Void> unused = link.write(messages).whenComplete((written, failure) -> {
                if (failure != null) {
                    messages.forEach(message -> message.outcome().completeExceptionally(failure));
                }
            });
        });
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(poll);
    }
}
