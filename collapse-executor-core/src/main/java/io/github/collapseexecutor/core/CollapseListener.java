package io.github.collapseexecutor.core;

/**
 * Is told what becomes of the calls and batches of an executor: for metrics, logs and tests.
 *
 * <pre>{@code
 * CollapseOptions.builder().listener(batch -> sizes.record(batch.size())).build();
 * }</pre>
 *
 * <p>The events of one batch have its {@linkplain BatchSummary#id() id} in common. A batch starts, callers leave it while it
 * gathers or is in flight, and it ends. A batch that dissolves because every caller has left it before its start has neither a start
 * nor an end.
 *
 * <p>Each method is called on the thread on which the event happens, with no lock held; {@link #batchEnded} after the callers
 * were given their answers. It delays that thread, and must not block. Whatever it throws reaches no caller: the first exception,
 * and every {@code Error}, goes to the thread's {@linkplain Thread#getUncaughtExceptionHandler() handler of uncaught exceptions};
 * further exceptions are ignored. Instances must be thread-safe.
 */
public interface CollapseListener {

    /**
     * A batch has ended, whatever its outcome.
     *
     * @param batch what there is to know of it
     */
    void batchEnded(BatchSummary batch);

    /**
     * A batch starts; its function is called next. Does nothing unless it is overridden.
     *
     * @param batch what there is to know of it by now
     */
    default void batchStarted(BatchStart batch) {}

    /**
     * A caller has left its batch without an answer. Does nothing unless it is overridden.
     *
     * @param departure the batch that was left, and the reason
     */
    default void callLeft(CallDeparture departure) {}

    /**
     * All places of a group have been taken for ten seconds, no batch has started, and callers wait. Told once for each group, until
     * it has had no caller. Does nothing unless it is overridden.
     *
     * @param stall what there is to know of it
     */
    default void groupStalled(GroupStall stall) {}

    /**
     * A call was refused, because {@link CollapseOptions#maxPending() maxPending} callers are present or the executor is closed.
     * Does nothing unless it is overridden.
     *
     * @param executor {@link CollapseOptions#name()}
     * @param group the group that it came for
     * @param refusal what the caller gets
     */
    default void callRefused(String executor, Object group, RuntimeException refusal) {}
}
