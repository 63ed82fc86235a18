package io.github.collapseexecutor.cluster;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.ReactiveRedisConnection;
import org.springframework.data.redis.connection.ReactiveSubscription;
import org.springframework.data.redis.connection.SubscriptionListener;

/**
 * Which waiters of this instance are told by which channel to look again: one connection, and a channel for as long as somebody
 * waits for it. A message that is lost costs time, but nothing else, because waiters also look by themselves.
 */
final class Subscriptions {

    /** The codes of a command that a user must not send or that a server does not know; others, such as BUSY and LOADING, pass. */
    private static final Pattern REFUSAL = Pattern.compile("(NOPERM|ERR) ");

    // immutable
    private final RedisLink link;
    private final ClusterProtocol protocol;

    // mutable, guarded by this
    private final Map<ByteBuffer, Channel> channels = new HashMap<>();
    private @Nullable CompletableFuture<ReactiveSubscription> subscription;

    /** When the subscription was opened last, which is not tried for each waiter where it fails. */
    private long triedAt;

    Subscriptions(RedisLink link, ClusterProtocol protocol) {
        this.link = link;
        this.protocol = protocol;
    }

    /** Has a waiter told, if its channel is subscribed to already; says whether it is. */
    synchronized boolean join(byte[] name, ClusterWaiter waiter) {
        Channel channel = channels.get(ByteBuffer.wrap(name));
        if (channel != null) {
            channel.waiters.add(waiter);
        }
        return channel != null;
    }

    /** Has a waiter told; it is told once for a beginning when messages begin to arrive. */
    void subscribe(byte[] name, ClusterWaiter waiter) {
        ByteBuffer key = ByteBuffer.wrap(name);
        CompletableFuture<ReactiveSubscription> through;
        Channel channel;
        synchronized (this) {
            if (join(name, waiter)) {
                return;
            }
            channel = new Channel();
            channel.waiters.add(waiter);
            channels.put(key, channel);
            through = subscription();
        }
        CompletableFuture<Void> unused = through.handle((open, failure) -> {
            if (failure == null) {
                subscribe(open, key, channel);
            }
            return null; // without a connection, of which the breaker knows by other calls, there is nothing to be told
        });
    }

    private void subscribe(ReactiveSubscription open, ByteBuffer key, Channel channel) {
        synchronized (this) { // in one order with unsubscribe
            if (channels.get(key) != channel) {
                return;
            }
            open.subscribe(key.duplicate())
                    .subscribe(
                            nothing -> {},
                            failure -> warnIfRefused(Breaker.messageOf(failure)),
                            () -> tell(key, Long.MAX_VALUE));
        }
    }

    void leave(byte[] name, ClusterWaiter waiter) {
        ByteBuffer key = ByteBuffer.wrap(name);
        synchronized (this) {
            Channel channel = channels.get(key);
            if (channel == null || !channel.waiters.remove(waiter) || !channel.waiters.isEmpty()) {
                return;
            }
            channels.remove(key);
            CompletableFuture<ReactiveSubscription> open = subscription;
            if (open != null && open.isDone() && !open.isCompletedExceptionally()) {
                unsubscribe(open.join(), key);
            }
        }
    }

    /** A waiter that leaves gets its result whatever comes of this: messages that arrive still find nobody. */
    private static void unsubscribe(ReactiveSubscription open, ByteBuffer key) {
        try {
            open.unsubscribe(key.duplicate()).onErrorComplete().subscribe();
        } catch (RuntimeException | LinkageError refused) {
            return; // the channel is forgotten already
        }
    }

    /** Forgets the connection: the next channel opens another. Waiters look by themselves meanwhile. */
    void disconnect() {
        CompletableFuture<ReactiveSubscription> given;
        synchronized (this) {
            given = subscription;
            subscription = null;
            channels.clear();
        }
        if (given != null) {
            CompletableFuture<Void> unused =
                    given.thenAccept(open -> open.cancel().onErrorComplete().subscribe());
        }
    }

    synchronized int channelCount() {
        return channels.size();
    }

    private CompletableFuture<ReactiveSubscription> subscription() {
        CompletableFuture<ReactiveSubscription> current = subscription;
        if (current == null
                || (current.isCompletedExceptionally() && System.nanoTime() - triedAt >= Breaker.PAUSE_NANOS)) {
            current = link.connection().thenCompose(this::open);
            subscription = current;
            triedAt = System.nanoTime();
        }
        return current;
    }

    private CompletableFuture<ReactiveSubscription> open(ReactiveRedisConnection redis) {
        return redis.pubSubCommands()
                .createSubscription(SubscriptionListener.NO_OP_SUBSCRIPTION_LISTENER)
                .doOnNext(open -> open.receive()
                        .subscribe(
                                message -> tell(message.getChannel(), ticketIn(message.getMessage())),
                                failure -> forget(open), // the connection is lost
                                () -> forget(open)))
                .single() // no subscription is a failure
                .toFuture();
    }

    private void warnIfRefused(String reason) {
        if (isRefusal(reason)) {
            protocol.warnOfMessages(reason);
        }
    }

    /** Redis begins what it refuses with a code; a connection that is lost, or a server that is busy, is no matter of rights. */
    static boolean isRefusal(String reason) {
        return REFUSAL.matcher(reason).lookingAt();
    }

    /** Nothing arrives any more through this one: the next waiter opens another. */
    private synchronized void forget(ReactiveSubscription ended) {
        CompletableFuture<ReactiveSubscription> current = subscription;
        if (current != null && !current.isCompletedExceptionally() && current.getNow(null) == ended) {
            subscription = null;
            channels.clear();
        }
    }

    /** Anybody may publish to a channel: whatever is not a ticket has waiters look, which costs little, and ends nothing. */
    private static long ticketIn(ByteBuffer message) {
        try {
            return Long.parseLong(
                    StandardCharsets.US_ASCII.decode(message.duplicate()).toString());
        } catch (NumberFormatException foreign) {
            return Long.MAX_VALUE;
        }
    }

    private void tell(ByteBuffer key, long ticket) {
        List<ClusterWaiter> told;
        synchronized (this) {
            Channel channel = channels.get(key);
            told = channel == null ? List.of() : List.copyOf(channel.waiters);
        }
        told.forEach(waiter -> waiter.told(ticket));
    }

    private static final class Channel {

        /** In the order in which they came. */
        final Set<ClusterWaiter> waiters = new LinkedHashSet<>();
    }
}
