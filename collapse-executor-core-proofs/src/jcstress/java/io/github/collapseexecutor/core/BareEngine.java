package io.github.collapseexecutor.core;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An engine without a runner: actors move its batches one step at a time, as the threads of callers do. */
final class BareEngine {

    static final Object GROUP = "group";

    /** A caller that comes while a batch is in flight waits for its end. */
    static final CollapseOptions ONE_AT_A_TIME = CollapseOptions.builder()
            .collectingWaitTime(Duration.ofNanos(-1))
            .maxConcurrentBatches(1)
            .build();

    static final CollapseOptions IN_FLIGHT = CollapseOptions.builder()
            .collectingWaitTime(Duration.ofNanos(-1))
            .joinMode(JoinMode.IN_FLIGHT)
            .build();

    final StoppedTime time = new StoppedTime();
    private final CollapseEngine<Integer, Integer> engine;

    BareEngine(CollapseOptions options) {
        this(options, true);
    }

    BareEngine(CollapseOptions options, boolean answersByInput) {
        engine = new CollapseEngine<>(options, CollapseEngine.Runner.CALLER, answersByInput, time, batch -> {});
    }

    static int answerTo(int input) {
        return -input;
    }

    SubmitResult submit(ProbeCall call) {
        return engine.submit(GROUP, call);
    }

    LeaveResult<Integer, Integer> leave(ProbeCall call) {
        return engine.leave(call);
    }

    void forget(int input) {
        engine.forget(GROUP, input);
    }

    boolean handOver(ProbeCall leader) {
        return engine.handOver(leader.batch(), leader);
    }

    /** Whether the caller may run the batch that it believes to lead; the batch has then started. */
    boolean lead(Batch<Integer, Integer> batch, Call<Integer, Integer> caller) {
        return engine.lead(batch, caller) == StartDelay.NONE;
    }

    /** Runs a batch that its leader may start, and gives one that is to be signalled. */
    @Nullable Batch<Integer, Integer> leadAndRun(Batch<Integer, Integer> batch) {
        if (!lead(batch, batch.leader())) {
            throw new IllegalStateException(
                    "A leader that was signalled may not start its batch, which is " + batch.state());
        }
        return run(batch);
    }

    /** Runs the batch, if there is one, and those that are released by that. */
    void follow(@Nullable Batch<Integer, Integer> signalled) {
        Batch<Integer, Integer> batch = signalled;
        while (batch != null) {
            batch = leadAndRun(batch);
        }
    }

    /** Runs a batch in flight, and gives one that is to be signalled. */
    @Nullable Batch<Integer, Integer> run(Batch<Integer, Integer> batch) {
        execute(batch);
        return end(batch);
    }

    void execute(Batch<Integer, Integer> batch) {
        for (Input<Integer> input : batch.inputs()) {
            ((ProbeCall) input).executions.incrementAndGet();
        }
        for (Bundle<Integer, Integer> bundle : batch.bundles()) {
            bundle.bindOutput(answerTo(bundle.getInput()));
        }
    }

    @Nullable Batch<Integer, Integer> end(Batch<Integer, Integer> batch) {
        Batch<Integer, Integer> released = publish(batch);
        batch.deliver();
        return released;
    }

    /** Ends a batch whose callers somebody else delivers to. */
    @Nullable Batch<Integer, Integer> publish(Batch<Integer, Integer> batch) {
        return only(engine.end(batch));
    }

    /** The batch that is to be signalled: without a limit of the executor, nothing has more than one. */
    static @Nullable Batch<Integer, Integer> only(List<Batch<Integer, Integer>> signalled) {
        if (signalled.size() > 1) {
            throw new IllegalStateException(signalled.size() + " batches are to be signalled");
        }
        return signalled.isEmpty() ? null : signalled.get(0);
    }

    boolean isEmpty() {
        return engine.groupCount() == 0;
    }

    String rest() {
        return rest(engine);
    }

    /** What an engine holds when every caller has gone. */
    static String rest(CollapseEngine<?, ?> engine) {
        return engine.groupCount() == 0 ? "nothing remains" : "a group remains";
    }
}
