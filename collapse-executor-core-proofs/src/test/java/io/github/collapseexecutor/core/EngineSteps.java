package io.github.collapseexecutor.core;

import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;

/**
 * The engine without a runner. Each thread is one caller at a time, and takes the steps that the thread of a caller takes,
 * but one by one and in any order that makes sense: it arrives, goes on, breaks off or leaves.
 *
 * <p>Each step is to look as if it happened in one moment, as it does in {@link EngineModel}.
 */
public class EngineSteps {

    private static final class Step extends Call<Integer, Integer> {

        // mutable, confined to the thread of the caller
        boolean runs;

        Step(int input) {
            super(input);
        }

        @Override
        void deliver() {}
    }

    private static final Object GROUP = "group";
    private static final int THREADS = 8;

    // immutable
    private final CollapseEngine<Integer, Integer> engine;

    // mutable; each place is confined to the thread whose it is
    private final @Nullable Step[] callers = new Step[THREADS];

    EngineSteps(CollapseOptions options) {
        engine = new CollapseEngine<>(options, CollapseEngine.Runner.CALLER, true, new ParkingTime(), batch -> {});
    }

    /** Becomes a caller, and calls the batch function at once if that is due. */
    @Operation
    public String arrive(
            @Param(gen = ThreadIdGen.class) int thread, @Param(gen = IntGen.class, conf = "1:2") int input) {
        if (callers[thread] != null) {
            return "is here already";
        }
        Step call = new Step(input);
        callers[thread] = call;
        return engine.submit(GROUP, call) == SubmitResult.STARTED ? run(call) : "waits";
    }

    private static String run(Step call) {
        call.runs = true;
        List<Integer> inputs = new ArrayList<>();
        for (Input<Integer> input : call.batch().inputs()) {
            inputs.add(input.value());
        }
        return "calls for " + inputs;
    }

    /** Does whatever is next: returns from the batch function, calls it, takes an answer, or waits. */
    @Operation
    public String goOn(@Param(gen = ThreadIdGen.class) int thread) throws InterruptedException {
        Step call = callers[thread];
        if (call == null) {
            return "is not here";
        }
        Batch<Integer, Integer> batch = call.batch();
        if (call.runs) {
            for (Bundle<Integer, Integer> bundle : batch.bundles()) {
                bundle.bindOutput(10 * thread + bundle.getInput());
            }
            boolean wakes = end(batch);
            callers[thread] = null;
            return outcome(call) + wakes(wakes);
        }
        if (engine.lead(batch, call) == StartDelay.NONE) {
            return run(call);
        }
        batch.group.lock();
        try {
            if (batch.state() != Batch.State.ENDED) {
                return "waits";
            }
        } finally {
            batch.group.unlock();
        }
        while (!batch.isPublished()) {
            Thread.onSpinWait();
        }
        callers[thread] = null;
        return outcome(call);
    }

    private static String outcome(Step call) {
        return call.failure() == null ? "is answered " + call.output() : "fails";
    }

    /** Is interrupted inside the batch function, which that breaks. */
    @Operation
    public String breakOff(@Param(gen = ThreadIdGen.class) int thread) {
        Step call = callers[thread];
        if (call == null || !call.runs) {
            return "does not call";
        }
        callers[thread] = null;
        Batch<Integer, Integer> batch = call.batch();
        if (engine.handOver(batch, call)) {
            return "is out, another is to call";
        }
        return "is out, and so are all" + wakes(fail(batch));
    }

    /** Leaves, unless it is inside the batch function. */
    @Operation
    public String leave(@Param(gen = ThreadIdGen.class) int thread) {
        Step call = callers[thread];
        if (call == null || call.runs) {
            return "cannot leave";
        }
        LeaveResult<Integer, Integer> result = engine.leave(call);
        if (result.tooLate) {
            return "leaves too late";
        }
        callers[thread] = null;
        boolean wakes = !result.signals.isEmpty();
        if (result.orphan != null) {
            wakes = fail(result.orphan);
        }
        return "has left" + wakes(wakes);
    }

    private boolean fail(Batch<Integer, Integer> batch) {
        batch.bindFailureToRest(new IllegalStateException("broken off"));
        return end(batch);
    }

    private boolean end(Batch<Integer, Integer> batch) {
        boolean wakes = !engine.end(batch).isEmpty();
        batch.deliver();
        return wakes;
    }

    static String wakes(boolean wakes) {
        return wakes ? ", wakes somebody" : "";
    }

    /** A group is there if a caller is. */
    @Validate
    public void nothingIsThereButWhatCallersNeed() {
        int present = 0;
        for (Step call : callers) {
            present += call == null ? 0 : 1;
        }
        if (present == 0 && engine.groupCount() != 0) {
            throw new AssertionError("a group remains without a caller");
        }
    }
}
