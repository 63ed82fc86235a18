package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * What batches call in tests: each execution is held until the test lets it go on, unless the backend is {@linkplain
 * #answering() answering} by itself.
 */
final class Backend {

    private final BlockingQueue<Execution> arrived = new LinkedBlockingQueue<>();
    private final List<List<String>> batches = new ArrayList<>();
    private volatile boolean answering;

    /** One call of the batch function, in the hands of the test. */
    static final class Execution {

        final List<String> inputs;
        final Thread thread = Thread.currentThread();
        final CompletableFuture<Map<String, String>> result = new CompletableFuture<>();

        Execution(List<String> inputs) {
            this.inputs = inputs;
        }

        /** Answers every input of the batch with {@code "answer to " + input}. */
        void succeed() {
            assertThat(result.complete(answers(inputs))).isTrue();
        }

        void fail(Throwable failure) {
            assertThat(result.completeExceptionally(failure)).isTrue();
        }

        /** Blocks like a call that can be interrupted. */
        Map<String, String> await() throws Exception {
            try {
                return result.get();
            } catch (ExecutionException e) {
                throw Failures.rethrow(e.getCause());
            }
        }
    }

    static String answer(String input) {
        return "answer to " + input;
    }

    static Map<String, String> answers(List<String> inputs) {
        Map<String, String> answers = new LinkedHashMap<>();
        inputs.forEach(input -> answers.put(input, answer(input)));
        return answers;
    }

    /** Lets every execution from now on succeed at once. */
    Backend answering() {
        answering = true;
        return this;
    }

    /** Lets every execution succeed: those to come, and those that are held while none is about to be. */
    void answerAll() {
        answering = true;
        for (Execution held = arrived.poll(); held != null; held = arrived.poll()) {
            held.succeed();
        }
    }

    Execution call(List<String> inputs) {
        Execution execution = new Execution(inputs);
        synchronized (batches) {
            batches.add(inputs);
        }
        if (answering) {
            execution.succeed();
        } else {
            arrived.add(execution);
        }
        return execution;
    }

    /** Calls as a function in order does. */
    List<String> outputs(List<String> inputs) throws Exception {
        Map<String, String> outputs = call(inputs).await();
        List<String> inOrder = new ArrayList<>();
        inputs.forEach(input -> inOrder.add(outputs.get(input)));
        return inOrder;
    }

    /** The next execution that starts, or has started and was not asked for yet. */
    Execution next() throws InterruptedException {
        Execution execution = arrived.poll(10, TimeUnit.SECONDS);
        assertThat(execution).as("an execution within 10 s").isNotNull();
        return execution;
    }

    void expectNoneStarted() {
        assertThat(arrived).isEmpty();
    }

    /** The inputs of every execution so far, in order of their starts. */
    List<List<String>> batches() {
        synchronized (batches) {
            return new ArrayList<>(batches);
        }
    }
}
