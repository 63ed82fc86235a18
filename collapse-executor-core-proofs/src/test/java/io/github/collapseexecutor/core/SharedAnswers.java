package io.github.collapseexecutor.core;

import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * Whole calls that may share a call in flight, and so be given an answer older than their question, but never one that
 * somebody had been given before they asked: that call has ended.
 */
public class SharedAnswers {

    /** What {@link SharedAnswers} are to say, without regard to who asks at the same time. */
    public static final class Plain {

        /** Asks. */
        public String ask(int input) {
            return OWN;
        }

        /** Asks and goes away. */
        public void askAndLeave(int input) {}
    }

    /** The result of one call of the batch function for one input. */
    private static final class Answer {

        // immutable
        final int input;

        // mutable, by CAS from 0, once: when somebody was given it
        final AtomicInteger givenAt = new AtomicInteger();

        Answer(int input) {
            this.input = input;
        }
    }

    private static final class Answering implements BatchWork<Integer, Answer, Integer> {

        @Override
        public Integer execute(Batch<Integer, Answer> batch) throws InterruptedException {
            int inputs = batch.inputs().size();
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return inputs;
        }

        @Override
        public void bind(Integer inputs, Batch<Integer, Answer> batch) {
            for (Bundle<Integer, Answer> bundle : batch.bundles()) {
                bundle.bindOutput(new Answer(bundle.getInput()));
            }
        }
    }

    private static final String OWN = "its own answer";

    private final AtomicInteger moment = new AtomicInteger();
    private final BlockingRunner<Integer, Answer, Integer> runner;

    SharedAnswers(CollapseOptions options) {
        runner = new BlockingRunner<>(options, true, new Answering(), new ParkingTime());
    }

    /** Asks, and says what kind of an answer it was given. */
    @Operation
    public String ask(@Param(gen = IntGen.class, conf = "1:2") int input) throws Exception {
        int asked = moment.incrementAndGet();
        Answer answer = runner.execute("group", input);
        answer.givenAt.compareAndSet(0, moment.incrementAndGet());
        if (answer.input != input) {
            return "the answer of another";
        }
        return answer.givenAt.get() < asked ? "an answer that was given before" : OWN;
    }

    /** Asks with its thread interrupted, for others to have to do with. */
    @Operation
    public void askAndLeave(@Param(gen = IntGen.class, conf = "1:2") int input) throws Exception {
        Thread.currentThread().interrupt();
        try {
            runner.execute("group", input);
        } catch (InterruptedException e) {
            return;
        } finally {
            Thread.interrupted();
        }
    }
}
