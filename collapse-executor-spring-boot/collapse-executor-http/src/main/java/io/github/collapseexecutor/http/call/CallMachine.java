package io.github.collapseexecutor.http.call;

import io.github.collapseexecutor.core.BatchHandle;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.FollowerTimeoutPolicy;
import io.github.collapseexecutor.http.HttpCallSummary;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.dryrun.DryRunCall;
import io.github.collapseexecutor.http.rules.CacheStatus;
import io.github.collapseexecutor.http.rules.CollapsibleRequest;
import io.github.collapseexecutor.http.rules.HttpReporter;
import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.ResponseDecision;
import io.github.collapseexecutor.http.rules.SharedResponse;
import io.github.collapseexecutor.http.rules.SharingRules;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The way of one request that may share a call. It decides what the request does next, and does nothing itself: it takes
 * events and returns {@link Command}s, without I/O, threads or futures. {@link BlockingDriver} carries the commands out on the
 * caller's thread, {@link FutureDriver} by callbacks.
 *
 * <p>A request goes one way, forward:
 *
 * <pre>
 * ARRIVED --> GATHERED ----> ENDED      it has its answer, fails, or is sent by itself
 *    |         |    ^  |
 *    |         |    +--+                it gathers again
 *    |         +--> RELEASED --> ENDED  it waits for a place before it is sent by itself
 *    +------------------------> ENDED   its key passes (H21), or its group is in dry run
 * </pre>
 *
 * <p><b>Leader and follower.</b> The request is gathered with others of an equal key. One of them becomes the leader, and its
 * {@link LeaderMachine} decides about the call: the response is shared, or is the leader's alone, or the call fails. Every
 * participant gets the same {@link EndedCall}. The leader then takes the response that it has, or fails. A follower asks this
 * machine, and the answer depends on the {@link CallResult}:
 *
 * <ul>
 *   <li><b>Shared.</b> The follower is answered, if the response suits it. If the origin chose the response by a header in
 *       which the follower differs from the leader (H14), it gathers again with the followers of equal headers. That may happen
 *       {@value #MOST_ROUNDS} times; then it is released. Some responses are only for
 *       requests that were waiting already (H17, H19); a follower that came too late for one is released, too.
 *   <li><b>For the leader only.</b> All followers are released at once, and go to the origin in parallel up to a limit (H20).
 *   <li><b>Failed.</b> The options say whether the followers fail too, are released, or gather again so that one of them makes
 *       the call for all (H22). This last thing happens once; the second failure is shared.
 *   <li><b>Not made.</b> The leader has left (H23): the followers gather again.
 * </ul>
 *
 * <p><b>Gathering again.</b> A later group is named by a {@link RegroupKey}: the place where the followers of one call meet, and
 * what those of one group have in common. Its leader makes one call; a follower that wakes late finds at the meeting place what
 * came of it. All participants of a call have taken the same steps, so they treat a failure alike.
 *
 * <p><b>Deadlines.</b> A follower has one deadline for all that it waits for, and its caller has another one for all that the request
 * does. Both are counted from its arrival (H25). Each command to wait says how long the request may still do so. At the first
 * deadline the request does what the options say, at the other it fails. A leader on its caller's thread is bound by its
 * transport alone.
 *
 * <p><b>Leaving.</b> A caller may leave in any state. Its driver then stops; this machine needs no event, because nobody else
 * waits for this request's own way (H24). The call that it leads is another matter, see {@link LeaderMachine}.
 *
 * <p>Not thread-safe: a request takes its steps one after another, and each driver hands the machine from one thread to the
 * next safely.
 */
final class CallMachine {

    private enum State {
        /** Nothing has been done. */
        ARRIVED,
        /** It is in a batch. */
        GATHERED,
        /** It waits for a place among those that make calls of their own. */
        RELEASED,
        /** There is nothing left to decide. */
        ENDED
    }

    /** What all followers of a call without a response have in common: that they may share one more. */
    private static final Object NOTHING_MORE = new Object();

    /** Regrouping takes a call's time for each round; one that chooses by ever other headers is not worth more of them. */
    private static final int MOST_ROUNDS = 3;

    // immutable
    private final SharingRules rules;
    private final CollapsibleRequest request;
    private final Deadline deadline;
    private final Deadline callersDeadline;
    private final CollapseOptions core;

    // mutable, confined to the request's present step
    private State state = State.ARRIVED;
    private @Nullable RegroupKey regroup;
    private @Nullable ForwardLimiter awaited;
    private Reason releasedFor = Reason.FOLLOWER_TIMEOUT;
    private boolean reelected;
    private int rounds;
    // mutable; told to the listener when the request has ended
    private boolean alone;
    private boolean timedOut;
    private @Nullable LeaderMachine call;

    /** @param core says how long the caller waits for its answer altogether */
    CallMachine(SharingRules rules, CollapsibleRequest request, CollapseOptions core) {
        this.rules = rules;
        this.request = request;
        this.core = core;
        this.deadline = Deadline.of(request, rules.options().followerTimeout(), rules.time());
        this.callersDeadline = Deadline.of(request, core.callTimeout(), rules.time());
    }

    /** The request has arrived. */
    Command.OfRequest start() {
        from(State.ARRIVED);
        JoinMode mode = GatheringExecutors.modeOf(request.rule(), core);
        DryRun dryRun = request.rule().dryRun();
        if (dryRun != null) {
            state = State.ENDED;
            alone = true;
            rules.released(request, Reason.DRY_RUN);
            return new Command.Watch(new DryRunCall(rules, request, dryRun), mode);
        }
        if (rules.passes(request)) {
            state = State.ENDED;
            alone = true;
            rules.released(request, Reason.PASSING);
            return Command.Pass.INSTANCE;
        }
        return gather(GatheringExecutors.Kind.of(mode, request), request.key());
    }

    private Command.Gather gather(GatheringExecutors.Kind executor, Object key) {
        state = State.GATHERED;
        return new Command.Gather(executor, key, timeLeft());
    }

    private TimeLeft timeLeft() {
        return new TimeLeft(deadline.remaining(), callersDeadline.remaining());
    }

    /**
     * How long the request may take that is sent by itself, in nanoseconds, where its caller holds a future. Nothing stops a server's
     * handler on its thread.
     */
    long patienceAlone() {
        return rules.isOfServer() ? Long.MAX_VALUE : callersDeadline.remaining();
    }

    /** The request has become the leader of its batch: begins the call, which goes its own way even if its caller leaves. */
    LeaderMachine lead(BatchHandle batch) {
        LeaderMachine begun = new LeaderMachine(rules, request, regroup, reelected, batch, deadline);
        call = begun;
        return begun;
    }

    /** The call that the request led has ended with a response, which is the leader's or of which it has a copy. */
    Command.OfRequest led() {
        from(State.GATHERED);
        state = State.ENDED;
        return Command.Deliver.INSTANCE;
    }

    /** The call that the request led has failed. */
    Command.OfRequest ledInVain(Throwable failure) {
        from(State.GATHERED);
        return fail(failure);
    }

    /** The call of another request that this one waited for has ended. */
    Command.OfRequest joined(EndedCall ended) {
        from(State.GATHERED);
        CallResult result = ended.result();
        UnansweredFollowers place = ended.place();
        if (result instanceof CallResult.Shared shared) {
            return afterResponse(shared.response(), place);
        }
        if (result instanceof CallResult.Failed failed) {
            return afterFailure(failed, place);
        }
        return result instanceof CallResult.ForLeaderOnly refused
                ? release(place, refused.reason())
                : gatherAgain(place, NOTHING_MORE);
    }

    private Command.OfRequest afterResponse(SharedResponse response, UnansweredFollowers place) {
        if (response.mayAnswer(request)) {
            return response.isErrorResponse() ? afterErrorResponse(response, place) : answer(response);
        }
        if (!response.mayRegroup(request)) {
            return release(place, Reason.LATE);
        }
        boolean again = rounds < MOST_ROUNDS;
        rounds++;
        return again ? gatherAgain(place, response.regroupBy(request)) : release(place, Reason.VARY);
    }

    private Command.OfRequest afterErrorResponse(SharedResponse response, UnansweredFollowers place) {
        return switch (LeaderMachine.choice(rules.options().onErrorResponse(), reelected)) {
            case SHARE -> answer(response);
            case FAN_OUT -> release(place, Reason.LEADER_FAILED);
            case RE_ELECT -> reelect(place);
        };
    }

    private Command.OfRequest afterFailure(CallResult.Failed failed, UnansweredFollowers place) {
        return switch (LeaderMachine.choiceAfter(failed, rules.options(), reelected)) {
            case SHARE -> fail(failed.failure());
            case FAN_OUT -> release(place, Reason.LEADER_FAILED);
            case RE_ELECT -> reelect(place);
        };
    }

    private Command.OfRequest answer(SharedResponse response) {
        state = State.ENDED;
        return new Command.Answer(response);
    }

    private Command.OfRequest fail(Throwable failure) {
        state = State.ENDED;
        return new Command.Fail(failure);
    }

    private Command.OfRequest reelect(UnansweredFollowers place) {
        reelected = true;
        return gatherAgain(place, NOTHING_MORE);
    }

    private Command.OfRequest gatherAgain(UnansweredFollowers place, Object common) {
        RegroupKey key = new RegroupKey(place, common);
        regroup = key;
        return gather(GatheringExecutors.Kind.REGROUPING, key);
    }

    private Command.OfRequest release(UnansweredFollowers place, Reason reason) {
        state = State.RELEASED;
        releasedFor = reason;
        ForwardLimiter limiter = place.limiter();
        awaited = limiter;
        return new Command.AwaitPlace(limiter, timeLeft());
    }

    /** The request has a place among those that make calls of their own. */
    Command.OfRequest placeGiven() {
        from(State.RELEASED);
        return sendAlone(awaited);
    }

    /** A deadline has passed while the request waited, whatever for (H25). */
    Command.OfRequest deadlinePassed(Deadline.Kind passed) {
        if (state != State.GATHERED && state != State.RELEASED) {
            throw new IllegalStateException("The request is " + state + " and does not wait");
        }
        if (passed == Deadline.Kind.FOLLOWER && rules.options().onFollowerTimeout() == FollowerTimeoutPolicy.GO_ALONE) {
            return sendAlone(null);
        }
        state = State.ENDED;
        timedOut = true;
        return timeOut(passed);
    }

    /** What ends a request at a deadline, whichever step it has come to. */
    Command.TimeOut timeOut(Deadline.Kind passed) {
        Duration bound = passed == Deadline.Kind.CALLER
                ? core.callTimeout()
                : rules.options().followerTimeout();
        return new Command.TimeOut(core.name(), passed, bound);
    }

    private Command.OfRequest sendAlone(@Nullable ForwardLimiter place) {
        state = State.ENDED;
        alone = true;
        rules.released(request, releasedFor);
        return new Command.SendAlone(place, CacheStatus.alone(rules.options()));
    }

    /** The head of a request has arrived that {@linkplain Command.Pass passed}: if others may have it, they gather again. */
    void passed(HttpRequestView sent, HttpResponseView head) {
        ResponseDecision unused = rules.shareable(request, sent, head);
    }

    /** The head of a request that passed cannot be read. */
    void passedUnreadably(Exception failure) {
        rules.headWasUnreadable(request, failure);
    }

    /** Whether anybody wants to know how the request ends. */
    boolean isListenedTo() {
        return rules.reporter().isListenedTo();
    }

    /**
     * The caller has its response or failure; said once, by a driver whose request is {@linkplain #isListenedTo() listened to}.
     *
     * @param failure what the caller gets instead of a response; null if it has one
     * @param callerContext as {@link HttpCallSummary#callerContext()}
     */
    void ended(@Nullable Throwable failure, @Nullable Object callerContext) {
        HttpCallSummary.Role role = role();
        HttpCallSummary.Outcome outcome =
                timedOut ? HttpCallSummary.Outcome.TIMED_OUT : HttpReporter.outcomeOf(failure);
        rules.reporter().ended(request, role, outcome, failure, callerContext);
    }

    private HttpCallSummary.Role role() {
        LeaderMachine led = call;
        if (alone) {
            return HttpCallSummary.Role.ALONE;
        }
        if (led == null || !led.wasSent()) {
            return HttpCallSummary.Role.FOLLOWER;
        }
        return led.isForOthers() ? HttpCallSummary.Role.LEADER : HttpCallSummary.Role.ALONE;
    }

    private void from(State expected) {
        if (state != expected) {
            throw new IllegalStateException("The request is " + state + ", not " + expected);
        }
    }
}
