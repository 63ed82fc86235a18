package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.LibraryThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The wait of one batch for the cluster: it asks Redis, waits until it is told or the time has come to look by itself, asks again,
 * and so on until it knows what to do. No thread waits for that.
 *
 * <pre>
 * ASKING  --"wait"-->  WAITING  --told, or time passed-->  ASKING
 * ASKING  --anything else, a failure, no answer in time-->  DECIDED
 * ASKING, WAITING  --the batch has no caller left-->  LEFT
 * </pre>
 *
 * <p><b>What Redis may cost.</b> The first question may take three fifths of {@code maxDelay}. After half of the rest without a message the
 * waiter looks by itself, and the look may take the other half. So a Redis that dies, or a message that is lost, costs {@code maxDelay} in all,
 * or {@code maxWaitRatio} of the time that the waiter has waited, if that is more: so looking costs as little for a long call as for a short one.
 *
 * <p><b>What other instances may cost.</b> Whatever Redis says, after twice {@code maxWait}, for a gap and for a call, the waiter goes alone.
 */
final class ClusterWaiter {

    private enum Phase {
        ASKING,
        WAITING,
        DECIDED,
        LEFT
    }

    // immutable
    private final ClusterNode node;
    private final byte[] name;
    private final String id = Envelope.newId();
    private final boolean joinsInFlight;
    private final boolean keepsGap;
    private final LongConsumer onWait;
    /** What Redis may cost it. */
    private final long maxDelay;

    /** When it goes alone, whatever is under way. */
    private final long deadline;

    private final CompletableFuture<Decision> decision = new CompletableFuture<>();

    // mutable, guarded by this
    private Phase phase = Phase.ASKING;
    /** Whether it was told to wait. */
    private boolean waited;
    /** Messages about tickets from this one on concern it; nothing before it knows. */
    private long asks = Long.MAX_VALUE;
    /** The greatest ticket that it was told about while it asked; the answer may be older than that. */
    private long toldWhileAsking;
    /** When it asked first, then when it began to wait. */
    private long since = System.nanoTime();
    /** What the first question left of maxDelay, or all of it before that was answered. */
    private long nanosLeft;

    private @Nullable Future<?> timer;
    /** Whether it could make the call now; and whether it could when it asked last. */
    private boolean mayLead = true;

    private boolean couldLead = true;

    /**
     * Creates the waiter of a batch.
     *
     * @param joinsInFlight whether a call may answer it that is under way
     * @param keepsGap whether its call starts some time after another one; for a part of a bulk call, a gap would make that two calls
     * @param onWait is told each time that it begins to wait, and for how many nanoseconds at most
     */
    ClusterWaiter(ClusterNode node, byte[] name, boolean joinsInFlight, boolean keepsGap, LongConsumer onWait) {
        this.node = node;
        this.name = name;
        this.joinsInFlight = joinsInFlight;
        this.keepsGap = keepsGap;
        this.onWait = onWait;
        this.maxDelay = node.maxDelayNanos();
        this.nanosLeft = maxDelay;
        this.deadline = since + 2 * node.options.maxWait().toNanos() + maxDelay;
    }

    /** Asks for the first time. */
    CompletableFuture<Decision> begin() {
        if (!node.calls.isSharingWorthIt(name)) { // before the other condition: one that may probe Redis has to
            decide(new Decision.Lead(Lease.unshared(node, name)));
        } else if (!node.mayAsk()) {
            decide(new Decision.GoAlone(Decision.Reason.UNAVAILABLE));
        } else {
            node.subscriptions.join(name, this);
            ask(ClusterProtocol.ASK, maxDelay * 3 / 5);
        }
        return decision;
    }

    /** Only a result of another instance is of use for now; a question that is under way may still make it a leader. */
    synchronized void holdBack() {
        mayLead = false;
    }

    /** It could make the call again. */
    void letLead() {
        synchronized (this) {
            mayLead = true;
        }
        look();
    }

    /** Tells that there is news for tickets up to this one. */
    void told(long about) {
        synchronized (this) {
            if (phase == Phase.ASKING) {
                toldWhileAsking = Math.max(toldWhileAsking, about);
                return;
            }
            if (phase != Phase.WAITING || about < asks) {
                return;
            }
        }
        look();
    }

    /** Goes away, because nobody is left who would take the decision. */
    void leave() {
        synchronized (this) {
            if (phase == Phase.LEFT) {
                return;
            }
            phase = Phase.LEFT;
        }
        stopListening();
        Decision taken = decision.getNow(null);
        if (taken instanceof Decision.Lead lead) {
            lead.lease().giveUp();
        } else if (taken == null) {
            node.protocol.leave(name, id);
        }
    }

    private void look() {
        boolean isLate;
        long withinNanos;
        synchronized (this) {
            if (phase != Phase.WAITING) {
                return;
            }
            isLate = System.nanoTime() - deadline >= 0;
            phase = Phase.ASKING;
            toldWhileAsking = 0;
            cancelTimer();
            withinNanos = nanosLeft / 2;
        }
        if (isLate) {
            goAlone(Decision.Reason.FAILED_ELSEWHERE);
        } else {
            ask(ClusterProtocol.ASK, withinNanos);
        }
    }

    private void ask(String operation, long withinNanos) {
        CompletableFuture<Void> unused = node.protocol
                .ask(operation, name, question(), withinNanos)
                .handle((reply, failure) -> {
                    if (failure == null) {
                        answered(reply);
                    } else {
                        goAlone(
                                RedisLink.isOfKey(failure)
                                        ? Decision.Reason.NOT_SHAREABLE
                                        : Decision.Reason.UNAVAILABLE);
                    }
                    return null;
                });
    }

    private synchronized ClusterProtocol.Question question() {
        couldLead = mayLead;
        return new ClusterProtocol.Question(id, joinsInFlight, couldLead, keepsGap ? node.gapNanos(name) : 0);
    }

    private void goAlone(Decision.Reason reason) {
        // A script may run yet, or have run: what it leaves behind would keep others waiting.
        node.protocol.leave(name, id);
        decide(new Decision.GoAlone(reason));
    }

    private void answered(ClusterProtocol.Reply reply) {
        if (reply instanceof ClusterProtocol.Wait wait) {
            if (!await(wait)) {
                node.protocol.leave(name, id); // it left between its decision to ask and its question
            }
        } else if (reply instanceof ClusterProtocol.Large large) {
            ask(ClusterProtocol.FETCH, maxDelay + large.nanos());
        } else if (reply instanceof ClusterProtocol.Grant grant) {
            decide(new Decision.Lead(Lease.of(node, name, id, grant)));
        } else if (reply instanceof Decision decided) {
            decide(decided);
        }
    }

    private void decide(Decision decided) {
        boolean isLeft;
        synchronized (this) {
            isLeft = phase == Phase.LEFT;
            phase = isLeft ? Phase.LEFT : Phase.DECIDED;
        }
        if (!isLeft) {
            stopListening();
            decision.complete(decided);
        } else if (decided instanceof Decision.Lead lead) {
            lead.lease().giveUp();
        }
    }

    /** Returns false if it has left. */
    private boolean await(ClusterProtocol.Wait wait) {
        boolean first;
        boolean lookNow;
        synchronized (this) {
            if (phase == Phase.LEFT) {
                return false;
            }
            first = !waited;
            long now = System.nanoTime();
            if (first) {
                nanosLeft = Math.max(maxDelay * 2 / 5, nanosLeft - (now - since));
                since = now;
            }
            phase = Phase.WAITING;
            waited = true;
            asks = wait.asks();
            lookNow = toldWhileAsking >= asks || (mayLead && !couldLead);
            if (!lookNow) {
                long silence = Math.max(nanosLeft / 2, node.shareOfWait(now - since));
                long longest = Math.max(0, deadline - now);
                timer = LibraryThreads.after(Math.min(longest, Math.min(wait.nanos(), silence)), this::look);
            }
        }
        if (first) {
            node.subscriptions.subscribe(name, this);
            if (hasEnded()) {
                node.subscriptions.leave(name, this);
            }
        }
        if (lookNow) {
            look();
        } else {
            onWait.accept(wait.nanos());
        }
        return true;
    }

    private synchronized boolean hasEnded() {
        return phase == Phase.DECIDED || phase == Phase.LEFT;
    }

    private void stopListening() {
        synchronized (this) {
            cancelTimer();
        }
        node.subscriptions.leave(name, this);
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
