package io.github.collapseexecutor.core;

/** A caller that left its batch without an answer, as a {@link CollapseListener} sees it; immutable. */
public final class CallDeparture {

    /** Why a caller leaves. */
    public enum Reason {
        /** Its thread was interrupted while it waited. */
        INTERRUPTED,
        /** {@link CollapseOptions#callTimeout()} passed, or the caller's own timeout. */
        TIMED_OUT,
        /** It cancelled its future, or its {@linkplain CallOptions#cancelSignal() cancel signal} came. */
        CANCELLED,
        /** It completed its future itself. */
        COMPLETED
    }

    // immutable
    private final long batchId;
    private final String executor;
    private final Object group;
    private final Reason reason;
    private final boolean started;
    private final long waitNanos;

    CallDeparture(String executor, Call<?, ?> call, Reason reason, boolean started, long now) {
        Batch<?, ?> batch = call.batch();
        this.batchId = batch.record().id;
        this.executor = executor;
        this.group = batch.group.value();
        this.reason = reason;
        this.started = started;
        this.waitNanos = now - call.submittedAt;
    }

    /**
     * Returns the number of the batch that was left.
     *
     * @return {@link BatchSummary#id()}
     */
    public long batchId() {
        return batchId;
    }

    /**
     * Returns the executor's name.
     *
     * @return {@link CollapseOptions#name()}
     */
    public String executor() {
        return executor;
    }

    /**
     * Returns the group that the batch belongs to. It may hold a user's data: keep it out of metric tags.
     *
     * @return what the callers' inputs have in common
     */
    public Object group() {
        return group;
    }

    /**
     * Returns why the caller left.
     *
     * @return the reason
     */
    public Reason reason() {
        return reason;
    }

    /**
     * Tells whether the batch had started, so that the caller's input may be executed nevertheless.
     *
     * @return false if the input was withdrawn
     */
    public boolean hasStarted() {
        return started;
    }

    /**
     * Returns how long the caller had waited.
     *
     * @return nanoseconds since it submitted its call
     */
    public long waitNanos() {
        return waitNanos;
    }

    @Override
    public String toString() {
        return "Caller left batch " + batchId + " of \"" + executor + "\": reason=" + reason + ", started=" + started
                + ", waitNanos=" + waitNanos;
    }
}
