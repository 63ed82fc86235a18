package io.github.collapseexecutor.http.call;

import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.OtherInstances;
import io.github.collapseexecutor.http.dryrun.DryRunCall;
import io.github.collapseexecutor.http.rules.SharedResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a driver is to do next. {@link CallMachine} and {@link LeaderMachine} decide it; how it is done, on the caller's thread
 * or by callbacks, is up to the driver.
 */
sealed interface Command {

    /** A command for one request, from {@link CallMachine}. */
    sealed interface OfRequest extends Command {}

    /** A command for the call that one request makes for all, from {@link LeaderMachine}. */
    sealed interface OfCall extends Command {}

    /**
     * Gather the request with those of an equal key; then say {@link CallMachine#led}, {@link CallMachine#joined} or
     * {@link CallMachine#deadlinePassed}. If the request becomes the leader, {@link CallMachine#lead} begins its call.
     *
     * @param timeLeft how long the request may wait unless it leads; a caller that holds a future waits for the call that it leads,
     *     too, but not longer than altogether
     */
    record Gather(GatheringExecutors.Kind executor, Object key, TimeLeft timeLeft) implements OfRequest {}

    /**
     * Wait for a place among those that make calls of their own; then say {@link CallMachine#placeGiven} or
     * {@link CallMachine#deadlinePassed}.
     *
     * @param timeLeft how long the request may wait
     */
    record AwaitPlace(ForwardLimiter limiter, TimeLeft timeLeft) implements OfRequest {}

    /**
     * Send the request as a call of its own, and end with its response or failure.
     *
     * @param place where to give back the place that the request holds, as soon as the head has arrived; null if it holds none
     * @param cacheStatus the value to add to {@code Cache-Status}; null if nothing is added
     */
    record SendAlone(
            @Nullable ForwardLimiter place, @Nullable String cacheStatus) implements OfRequest {}

    /** Send the request as a call of its own, say {@link CallMachine#passed} at its head, and end with its response or failure. */
    record Pass() implements OfRequest {
        static final Pass INSTANCE = new Pass();
    }

    /**
     * Send the request as a call of its own and, beside that, gather it in a {@link DryRun}; end with its response, whose body is
     * watched as it is read, or with its failure.
     *
     * @param mode the join mode that its group would have
     */
    record Watch(DryRunCall call, JoinMode mode) implements OfRequest {}

    /** End with the response that the request has as the leader. */
    record Deliver() implements OfRequest {
        static final Deliver INSTANCE = new Deliver();
    }

    /** End with a copy of another's response. */
    record Answer(SharedResponse response) implements OfRequest {}

    /** End with a failure. */
    record Fail(Throwable failure) implements OfRequest {}

    /** End with a time-out: the deadline has passed. */
    record TimeOut(
            String executor,
            Deadline.Kind deadline,
            @Nullable Duration timeout) implements OfRequest {

        /** Says nothing of the request (H33). */
        String message() {
            String bound = timeout == null ? "" : " = " + timeout.toMillis() + " ms";
            return "No answer to a collapsed request of \"" + executor + "\" within " + deadline.option() + bound;
        }
    }

    /**
     * Ask the other instances; then say {@link LeaderMachine#answered}, {@link LeaderMachine#unanswered} or {@link
     * LeaderMachine#failed}.
     *
     * @param timeLeft how long to wait, in nanoseconds; {@link Long#MAX_VALUE} without a deadline
     */
    record AskInstances(OtherInstances instances, String key, long timeLeft) implements OfCall {}

    /** Send the request; then say {@link LeaderMachine#headArrived} or {@link LeaderMachine#failed}. */
    record Send() implements OfCall {
        static final Send INSTANCE = new Send();
    }

    /**
     * Collect the body; then say {@link LeaderMachine#bodyCollected}, {@link LeaderMachine#bodyNotShared} or
     * {@link LeaderMachine#failed}.
     *
     * @param limit the largest body that may be shared, in bytes
     * @param bodiless whether there is nothing to read
     */
    record Collect(long limit, boolean bodiless) implements OfCall {}

    /**
     * Make the leader's own copy; then say {@link LeaderMachine#leaderAnswered} or {@link LeaderMachine#failed}.
     *
     * @param receiver whether the request was sent, or another instance's call answers it
     */
    record Share(SharedResponse response, SharedResponse.Receiver receiver) implements OfCall {}

    /** Let the leader have the response as it comes, and publish the end of the call. */
    record Stream(EndedCall ended) implements OfCall {}

    /** Publish the end of the call; there is nothing else to do. */
    record Publish(EndedCall ended) implements OfCall {}

    /**
     * Close the response if there is one, and fail the call.
     *
     * @param thrown what all participants see: the failure itself, or a {@link FailedCall}
     */
    record Break(Throwable thrown) implements OfCall {}
}
