package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Options of a single call, where it differs from the options of its executor; immutable.
 *
 * <pre>{@code
 * CallOptions patient = CallOptions.defaults().timeout(Duration.ofSeconds(2)).cancelSignal(requestEnded);
 * User user = users.execute(7L, patient);
 * }</pre>
 *
 * <p>Each method returns a copy with one setting changed. Instances may be shared by any number of calls and threads.
 */
public final class CallOptions {

    private static final CallOptions DEFAULTS = new CallOptions(null, null, null);

    // immutable
    private final @Nullable Duration timeout;
    private final @Nullable CompletableFuture<?> cancelSignal;
    private final @Nullable JoinMode joinMode;

    private CallOptions(
            @Nullable Duration timeout, @Nullable CompletableFuture<?> cancelSignal, @Nullable JoinMode joinMode) {
        this.timeout = timeout;
        this.cancelSignal = cancelSignal;
        this.joinMode = joinMode;
    }

    /**
     * Returns the options of a call that was given none.
     *
     * @return options that leave everything to the executor
     */
    public static CallOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Sets the longest that this caller waits for its answer. The lesser of it and {@link CollapseOptions#callTimeout()}
     * counts. Like that, it does not cut short a call that runs on the caller's own thread. A caller whose timeout passes gets
     * a {@link CallerTimeoutException}.
     *
     * @param timeout positive, at most about 292 years
     * @return options with that timeout
     * @throws InvalidOptionException if it is not in that range
     */
    public CallOptions timeout(Duration timeout) {
        if (CollapseOptions.nanos("timeout", timeout) <= 0) {
            throw new InvalidOptionException("timeout", timeout, "it must be positive; leave it out for no timeout");
        }
        return new CallOptions(timeout, cancelSignal, joinMode);
    }

    /**
     * Sets a signal upon which this caller leaves with a {@link java.util.concurrent.CancellationException}: a way to end a
     * thread's waiting that leaves its interrupt status alone, and one signal for any number of calls.
     *
     * <p>The signal does not cut short a call that runs on the caller's own thread. If that call fails after the signal, the
     * failure is this caller's alone, and another caller makes the call once more.
     *
     * @param signal when it is done, however it ends, the caller leaves. It keeps nothing of a
     *     call that has ended but a small object: one signal for all calls of a long time adds these up
     * @return options with that signal
     */
    public CallOptions cancelSignal(CompletableFuture<?> signal) {
        return new CallOptions(timeout, requireNonNull(signal, "signal"), joinMode);
    }

    /**
     * Sets which batches this call may join. {@link JoinMode#FRESH} can be asked of every executor. {@link
     * JoinMode#IN_FLIGHT} can be asked only of one whose {@link CollapseOptions#joinMode()} is that: another one keeps no
     * account of what is in flight.
     *
     * @param mode the mode
     * @return options with that mode
     */
    public CallOptions joinMode(JoinMode mode) {
        return new CallOptions(timeout, cancelSignal, requireNonNull(mode, "mode"));
    }

    /**
     * Returns the longest that this caller waits.
     *
     * @return a positive duration, or null (the default) where the executor's options alone say it
     */
    public @Nullable Duration timeout() {
        return timeout;
    }

    /**
     * Returns the signal upon which this caller leaves.
     *
     * @return the signal, or null (the default) where there is none
     */
    public @Nullable CompletableFuture<?> cancelSignal() {
        return cancelSignal;
    }

    /**
     * Returns which batches this call may join.
     *
     * @return the mode, or null (the default) where the executor's options say it
     */
    public @Nullable JoinMode joinMode() {
        return joinMode;
    }

    @Override
    public String toString() {
        return "timeout=" + timeout + ", cancelSignal=" + (cancelSignal == null ? "none" : "given") + ", joinMode="
                + joinMode;
    }
}
