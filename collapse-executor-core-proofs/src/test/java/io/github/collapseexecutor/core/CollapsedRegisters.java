package io.github.collapseexecutor.core;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * Two registers that are written directly and read by way of an executor, one call for all readers of a moment.
 *
 * <p>If reads are linearizable, every call ends, with the answer to its own question, and no answer was computed before the
 * question was asked.
 */
public class CollapsedRegisters {

    /** What {@link CollapsedRegisters} are to look like: plain registers of one thread. */
    public static final class Plain {

        private final int[] registers = new int[2];

        /** Writes. */
        public int write(int register) {
            return ++registers[register];
        }

        /** Reads. */
        public int read(int register) {
            return registers[register];
        }

        /** Does nothing. */
        public void beginToReadAndLeave(int register) {}
    }

    /** Reads all registers that a batch asks for; is broken off if its thread is interrupted. */
    private final class Reading implements BatchWork<Integer, Integer, List<Integer>> {

        @Override
        public List<Integer> execute(Batch<Integer, Integer> batch) throws InterruptedException {
            List<Integer> values = new ArrayList<>();
            for (Input<Integer> input : batch.inputs()) {
                values.add(registers.get(input.value()));
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return values;
        }

        @Override
        public void bind(List<Integer> values, Batch<Integer, Integer> batch) {
            for (int i = 0; i < values.size(); i++) {
                batch.bundles().get(i).bindOutput(values.get(i));
            }
        }
    }

    private interface Reader {

        int read(int register) throws Exception;

        /** Begins to read and goes away, with an answer or without. */
        void leave(int register) throws Exception;
    }

    private static final Object GROUP = "registers";

    private final AtomicIntegerArray registers = new AtomicIntegerArray(2);
    private final Reader reader;

    CollapsedRegisters(Kind kind, CollapseOptions options) {
        reader = kind == Kind.BLOCKING ? blocking(options) : future(options);
    }

    private Reader blocking(CollapseOptions options) {
        BlockingRunner<Integer, Integer, ?> runner =
                new BlockingRunner<>(options, true, new Reading(), new ParkingTime());
        return new Reader() {
            @Override
            public int read(int register) throws Exception {
                return runner.execute(GROUP, register);
            }

            @Override
            public void leave(int register) throws Exception {
                Thread.currentThread().interrupt();
                try {
                    runner.execute(GROUP, register);
                } catch (InterruptedException e) {
                    return;
                } finally {
                    Thread.interrupted();
                }
            }
        };
    }

    private Reader future(CollapseOptions options) {
        FutureRunner<Integer, Integer, ?, Integer> runner = new FutureRunner<>(
                options, true, StageWork.of(new Reading()), CallerAnswer.direct(), null, new ParkingTime());
        return new Reader() {
            @Override
            public int read(int register) throws Exception {
                return runner.execute(GROUP, register).get();
            }

            @Override
            public void leave(int register) throws Exception {
                CompletableFuture<Integer> answer = runner.execute(GROUP, register);
                answer.cancel(true);
                try {
                    answer.get();
                } catch (CancellationException e) {
                    return;
                }
            }
        };
    }

    /** Writes, and gives what was written. */
    @Operation
    public int write(@Param(gen = IntGen.class, conf = "0:1") int register) {
        return registers.incrementAndGet(register);
    }

    /** Reads by way of the executor. */
    @Operation
    public int read(@Param(gen = IntGen.class, conf = "0:1") int register) throws Exception {
        return reader.read(register);
    }

    /** Is there for a while, for others to have to do with. */
    @Operation
    public void beginToReadAndLeave(@Param(gen = IntGen.class, conf = "0:1") int register) throws Exception {
        reader.leave(register);
    }
}
