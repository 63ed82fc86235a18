package io.github.collapseexecutor.http.call;

import io.github.collapseexecutor.core.BatchHandle;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.OtherInstances;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.rules.CacheStatus;
import io.github.collapseexecutor.http.rules.CollapsibleRequest;
import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.ResponseDecision;
import io.github.collapseexecutor.http.rules.ShareableHead;
import io.github.collapseexecutor.http.rules.SharedResponse;
import io.github.collapseexecutor.http.rules.SharingRules;
import io.github.collapseexecutor.http.rules.StoredResponse;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way of the call that one request makes as the leader of a batch, on behalf of all participants. Like
 * {@link CallMachine} it takes events and returns {@link Command}s, and does nothing itself.
 *
 * <pre>
 * READY --> SENT --------> COLLECTING --> ANSWERING --> ENDED
 *   |  ^      |  ^             |              |   ^
 *   |  |      |  |             |              |   |
 *   |  +- ASKING +-------------|--------------|---+       another instance has the response, or it is to be sent
 *   +---------+----------------+--------------+-------> ENDED
 * </pre>
 *
 * <p>If nobody else takes part and nobody can any more, the call is a plain one (H38): nothing of the response is looked at.
 * Otherwise its head decides whether it may be shared. If it may, the body is collected up to a limit (H27), the leader gets a
 * copy, and the call ends with the shared response. In every other case the leader keeps the response as it comes, and the
 * followers are told why they get none. A response of which nothing is known to be shareable
 * is never given to others.
 *
 * <p>The call does not depend on its leader's caller (H23). If that caller leaves before the call was sent, there is no call. If
 * it leaves later, the call goes on where it can: by callbacks. On the caller's own thread the call breaks, and
 * {@link BatchHandle#isLeadersOwn} tells that such a failure says nothing about the origin, so that it is neither remembered nor
 * shared.
 *
 * <p>The result of a later group is remembered before it is published (H26): a member that arrives when the call is no longer
 * in flight finds it, instead of making the call again.
 *
 * <p>Not thread-safe: the driver hands over the events one after another.
 */
final class LeaderMachine {

    private enum State {
        /** Nothing has been sent. */
        READY,
        /** The other instances have not answered. */
        ASKING,
        /** The head has not arrived. */
        SENT,
        /** The head may be shared, the body is not complete. */
        COLLECTING,
        /** The leader gets its copy. */
        ANSWERING,
        /** The call has its result. */
        ENDED
    }

    private static final byte[] NO_BYTES = new byte[0];

    // immutable
    private final SharingRules rules;
    private final CollapsibleRequest request;
    private final @Nullable RegroupKey regroup;
    private final boolean reelected;
    private final BatchHandle batch;
    private final Deadline deadline;

    // mutable, confined to the call's present step
    private State state = State.READY;
    private @Nullable ShareableHead head;
    private @Nullable SharedResponse shared;
    private OtherInstances.@Nullable Duty duty;
    private boolean forThisInstanceOnly;
    private long askedAt;
    private boolean sent;
    private boolean alone;
    private boolean forOthers;

    /**
     * Creates the call of a leader.
     *
     * @param regroup the key of the later group that the request leads; null for the first
     * @param reelected whether the participants have seen one call fail already
     * @param deadline until when the request waits for another instance
     */
    LeaderMachine(
            SharingRules rules,
            CollapsibleRequest request,
            @Nullable RegroupKey regroup,
            boolean reelected,
            BatchHandle batch,
            Deadline deadline) {
        this.rules = rules;
        this.request = request;
        this.regroup = regroup;
        this.reelected = reelected;
        this.batch = batch;
        this.deadline = deadline;
    }

    /** Returns what a failed call means to the followers. */
    static LeaderFailurePolicy choiceAfter(CallResult.Failed failed, HttpCollapseOptions options, boolean reelected) {
        if (failed.failure() instanceof Error) {
            return LeaderFailurePolicy.SHARE;
        }
        return choice(failed.ofTransport() ? options.onTransportFailure() : options.onErrorResponse(), reelected);
    }

    /** A re-election happens once, and what comes of it is shared. */
    static LeaderFailurePolicy choice(LeaderFailurePolicy configured, boolean reelected) {
        return configured == LeaderFailurePolicy.RE_ELECT && reelected ? LeaderFailurePolicy.SHARE : configured;
    }

    /** The batch starts. */
    Command.OfCall start() {
        from(State.READY);
        EndedCall known = regroup == null ? null : regroup.known();
        if (known != null) {
            state = State.ENDED;
            return new Command.Publish(known);
        }
        Command.AskInstances ask = regroup == null ? ask() : null;
        if (ask == null) {
            return send();
        }
        state = State.ASKING;
        return ask;
    }

    private Command.@Nullable AskInstances ask() {
        OtherInstances instances = rules.options().otherInstances();
        String key = instances == null ? null : rules.keyAmongInstances(request);
        if (instances == null || key == null) {
            return null;
        }
        askedAt = rules.time().nanoTime();
        return new Command.AskInstances(instances, key, deadline.remaining());
    }

    private Command.OfCall send() {
        state = State.SENT;
        sent = true;
        return Command.Send.INSTANCE;
    }

    /** The other instances have answered. */
    Command.OfCall answered(OtherInstances.Answer answer) {
        from(State.ASKING);
        if (answer instanceof OtherInstances.Send own) {
            duty = own.duty();
            return send();
        }
        SharedResponse theirs = read((OtherInstances.Take) answer);
        if (theirs == null || ShareableHead.isOfOneInstance(theirs.status()) || !theirs.mayAnswer(request)) {
            return send();
        }
        shared = theirs;
        forOthers = true;
        state = State.ANSWERING;
        return new Command.Share(theirs, SharedResponse.Receiver.FOLLOWER);
    }

    private @Nullable SharedResponse read(OtherInstances.Take taken) {
        try {
            return StoredResponse.read(taken.response(), askedAt, CacheStatus.collapsed(rules.options()));
        } catch (IOException | RuntimeException unreadable) {
            taken.unreadable().run();
            return null;
        }
    }

    /** The deadline of the request has passed before the other instances have answered: it does not wait any longer. */
    Command.OfCall unanswered() {
        return answered(new OtherInstances.Send(null));
    }

    /** The batch starts, but the leader's caller has left at this very moment: nothing is sent. */
    Command.OfCall withdrawn() {
        from(State.READY);
        state = State.ENDED;
        EndedCall known = regroup == null ? null : regroup.known();
        return new Command.Publish(known == null ? unknown() : known);
    }

    /**
     * Decides whether only the leader will ever get the response of the call that is sent now. If so, it stays so, because the rules
     * may not learn what was sent.
     */
    boolean decideAlone() {
        alone = batch.isLone() && duty == null;
        return alone;
    }

    /** Looks at the head of a response, which may fail: with an {@link IOException} as the transport does. */
    @FunctionalInterface
    interface HeadReader {

        HttpResponseView read() throws IOException;
    }

    /**
     * The head has arrived. It is read if anybody but the leader takes part, or still can.
     *
     * @param sent the request as it was sent
     * @param response the head, whose reading may fail
     * @throws IOException as the transport failed
     */
    Command.OfCall headArrived(HttpRequestView sent, HeadReader response) throws IOException {
        from(State.SENT);
        if (alone || (batch.isLone() && !isAwaited())) {
            return stream(Reason.LONE);
        }
        ResponseDecision decision;
        try {
            HttpResponseView view = response.read();
            decision = rules.shareable(request, sent, view);
            forThisInstanceOnly = duty != null
                    && (view.isForThisInstanceOnly() || !view.followed().isEmpty());
        } catch (RuntimeException unreadable) {
            // H39: nobody knows whether others may have the response
            rules.headWasUnreadable(request, unreadable);
            return stream(Reason.UNREADABLE);
        }
        if (decision instanceof ResponseDecision.ForLeaderOnly refused) {
            return stream(refused.reason());
        }
        ShareableHead shareable = (ShareableHead) decision;
        head = shareable;
        state = State.COLLECTING;
        return new Command.Collect(rules.options().maxBodySize(), shareable.isBodiless());
    }

    /**
     * The whole body is there.
     *
     * @param bytes the body; of no meaning where the head says that there is none
     * @param attachment what the leader's adapter hands to those of the followers; asked for if the response is shared
     */
    Command.OfCall bodyCollected(byte[] bytes, Supplier<? extends @Nullable Object> attachment) {
        from(State.COLLECTING);
        ShareableHead complete = present(head);
        byte[] body = complete.isBodiless() ? NO_BYTES : bytes;
        if (!complete.fits(body.length)) {
            rules.bodyHasAnotherLength(request);
            return stream(Reason.LENGTH);
        }
        SharedResponse response = complete.complete(body, attachment.get());
        shared = response;
        forOthers = true;
        state = State.ANSWERING;
        shareWithInstances(complete, body);
        return new Command.Share(response, SharedResponse.Receiver.LEADER);
    }

    /** A response of failure is an answer to the batch that got it; other instances make calls of their own, as after a failure. */
    private void shareWithInstances(ShareableHead complete, byte[] body) {
        OtherInstances.Duty owed = duty;
        if (owed == null) {
            return;
        }
        if (forThisInstanceOnly) {
            owed.refuse();
        } else if (complete.isOfOneInstance()) {
            owed.fail();
        } else if (!owed.isAwaited()) {
            owed.end();
        } else if (body.length > owed.limit()) {
            owed.refuse(); // before memory is taken for it
        } else {
            store(owed, complete, body);
        }
    }

    private static void store(OtherInstances.Duty owed, ShareableHead complete, byte[] body) {
        try {
            owed.share(StoredResponse.bytesOf(complete, body));
        } catch (RuntimeException | OutOfMemoryError failed) { // the callers of this instance have their response
            owed.refuse();
        }
    }

    private boolean isAwaited() {
        OtherInstances.Duty owed = duty;
        return owed != null && owed.isAwaited();
    }

    /** There is more of the body than may be shared. */
    Command.OfCall bodyTooLarge() {
        return bodyNotShared(Reason.TOO_LARGE);
    }

    /** Others do not get the body, although the header section did not say so. */
    Command.OfCall bodyNotShared(Reason reason) {
        from(State.COLLECTING);
        rules.bodyWasNotShared(request, reason);
        return stream(reason);
    }

    /** The leader has its copy, or its caller has left. */
    Command.OfCall leaderAnswered() {
        from(State.ANSWERING);
        return new Command.Publish(ended(new CallResult.Shared(present(shared))));
    }

    private Command.OfCall stream(Reason reason) {
        OtherInstances.Duty owed = duty;
        if (owed != null && reason == Reason.LONE) {
            owed.end();
        } else if (owed != null) {
            owed.refuse();
        }
        return new Command.Stream(ended(CallResult.ForLeaderOnly.of(reason)));
    }

    /**
     * The call has failed.
     *
     * @param ofTransport whether the transport failed, so that another request may do better
     */
    Command.Break failed(Throwable failure, boolean ofTransport) {
        if (state == State.READY) {
            throw new IllegalStateException("The call is " + state + " and cannot fail", failure);
        }
        OtherInstances.Duty owed = duty;
        if (batch.isLeadersOwn(failure)) {
            if (owed != null) {
                owed.giveUp();
            }
            state = State.ENDED;
            return new Command.Break(new FailedCall(unknown(), failure));
        }
        if (owed != null) {
            owed.fail();
        }
        CallResult.Failed failed = new CallResult.Failed(failure, ofTransport);
        EndedCall ended = ended(failed);
        boolean forAll = choiceAfter(failed, rules.options(), reelected) == LeaderFailurePolicy.SHARE;
        forOthers = forAll && !batch.isLone();
        return new Command.Break(forAll && isDeclared(failure) ? failure : new FailedCall(ended, failure));
    }

    /** Any other exception could be mistaken for one of the executor, an {@code InterruptedException} for example. */
    private static boolean isDeclared(Throwable failure) {
        return failure instanceof IOException || failure instanceof RuntimeException || failure instanceof Error;
    }

    private EndedCall ended(CallResult result) {
        state = State.ENDED;
        EndedCall ended =
                new EndedCall(result, new UnansweredFollowers(rules.options().fanOutLimit()));
        if (regroup != null) {
            regroup.remember(ended);
        }
        return ended;
    }

    /** The end of a call of which a later member of the group learns nothing. */
    private EndedCall unknown() {
        return new EndedCall(
                new CallResult.NotMade(),
                new UnansweredFollowers(rules.options().fanOutLimit()));
    }

    /** Whether the request went to the origin. */
    boolean wasSent() {
        return sent;
    }

    /** Whether the response, or the failure, is for others too. */
    boolean isForOthers() {
        return forOthers;
    }

    private void from(State expected) {
        if (state != expected) {
            throw new IllegalStateException("The call is " + state + ", not " + expected);
        }
    }

    private <T> T present(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("The call is " + state + " and does not have this");
        }
        return part;
    }
}
