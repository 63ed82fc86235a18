package io.github.collapseexecutor.core;

/** A batch that starts, as a {@link CollapseListener} sees it; immutable. */
public final class BatchStart {

    // immutable
    private final long id;
    private final String executor;
    private final Object group;
    private final int size;
    private final long waitNanos;

    BatchStart(String executor, Batch<?, ?> batch) {
        this.id = batch.record().id;
        this.executor = executor;
        this.group = batch.group.value();
        this.size = batch.size();
        this.waitNanos = batch.startedAt() - batch.openedAt;
    }

    /**
     * Returns the number of the batch, which all events of it have in common.
     *
     * @return a number that no other batch of the executor has
     */
    public long id() {
        return id;
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
     * Returns how many inputs the batch holds.
     *
     * @return a number of inputs
     */
    public int size() {
        return size;
    }

    /**
     * Returns how long the batch gathered.
     *
     * @return nanoseconds
     */
    public long waitNanos() {
        return waitNanos;
    }

    @Override
    public String toString() {
        return "Batch " + id + " of \"" + executor + "\" starts: size=" + size + ", waitNanos=" + waitNanos;
    }
}
