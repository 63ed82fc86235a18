package io.github.collapseexecutor.core;

import static java.util.stream.Collectors.toList;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** The kinds of executor, so that one test body runs over all of them. */
enum Kind {
    BLOCKING,
    ASYNC,
    FUTURE;

    /** How a test binds; the bundle is seen without the futures that two of the kinds bind. */
    interface Binding {

        Binding BY_INPUT =
                (outputs, bundles) -> bundles.forEach(bundle -> bundle.bindOutput(outputs.get(bundle.getInput())));

        void bind(Map<String, String> outputs, List<? extends Bundle<String, String>> bundles) throws Exception;
    }

    /**
     * An executor of one of the kinds; inputs of the form {@code group/rest} are grouped by what stands before the slash, and
     * those of the form {@code rest#weight} weigh what stands behind the sign, others 1.
     */
    abstract static class Subject {

        final Caller submit(String input) {
            return submit(input, CallOptions.defaults());
        }

        abstract Caller submit(String input, CallOptions options);

        abstract void forget(String input);

        /** Submits many inputs together. */
        final BulkCall submitEach(String... inputs) {
            return submitEach(List.of(inputs), CallOptions.defaults());
        }

        abstract BulkCall submitEach(List<String> inputs, CallOptions options);

        /** Submits many inputs on the current thread, which may be one that runs a batch, and waits for the outputs. */
        abstract List<String> eachOnThisThread(String... inputs) throws Exception;

        abstract CollapseExecutor executor();

        abstract CollapseEngine<?, ?> engine();

        /** Calls on the current thread, which may be one that runs a batch, and waits for the output. */
        final String callOnThisThread(String input) throws Exception {
            return callOnThisThread(input, CallOptions.defaults());
        }

        abstract String callOnThisThread(String input, CallOptions options) throws Exception;

        static Object group(String input) {
            return input.contains("/") ? input.substring(0, input.indexOf('/')) : "";
        }

        static long weight(String input) {
            return input.contains("#") ? Long.parseLong(input.substring(input.indexOf('#') + 1)) : 1;
        }
    }

    Subject subject(CollapseOptions options, Backend backend) {
        return subject(options, backend, Binding.BY_INPUT, SystemScheduler.INSTANCE);
    }

    Subject subject(CollapseOptions options, Backend backend, EngineScheduler time) {
        return subject(options, backend, Binding.BY_INPUT, time);
    }

    Subject subject(CollapseOptions options, Backend backend, Binding binding, EngineScheduler time) {
        return switch (this) {
            case BLOCKING -> new BlockingSubject(options, backend, binding, time);
            case ASYNC -> new AsyncSubject(options, backend, binding, time);
            case FUTURE -> new FutureSubject(options, backend, binding, time);
        };
    }

    private static List<String> values(Collection<Input<String>> inputs) {
        return inputs.stream().map(Input::value).collect(toList());
    }

    private static final class BlockingSubject extends Subject {

        private final CollapseExecutorBlockingSupport<String, String, Map<String, String>> executor;

        BlockingSubject(CollapseOptions options, Backend backend, Binding binding, EngineScheduler time) {
            executor = new CollapseExecutorBlockingSupport<String, String, Map<String, String>>(options, time) {
                @Override
                protected Map<String, String> doExecute(Collection<Input<String>> inputs) throws Exception {
                    return backend.call(values(inputs)).await();
                }

                @Override
                protected void bindingOutput(Map<String, String> outputs, List<Bundle<String, String>> bundles)
                        throws Exception {
                    binding.bind(outputs, bundles);
                }

                @Override
                protected Object groupOf(String input) {
                    return group(input);
                }

                @Override
                protected long weightOf(String input) {
                    return weight(input);
                }
            };
        }

        @Override
        Caller submit(String input, CallOptions options) {
            return new Caller.OnThread("caller of " + input, () -> executor.execute(input, options));
        }

        @Override
        BulkCall submitEach(List<String> inputs, CallOptions options) {
            return new BulkCall.OnThread(() -> executor.executeEach(inputs, options));
        }

        @Override
        List<String> eachOnThisThread(String... inputs) throws Exception {
            return executor.executeAll(List.of(inputs));
        }

        @Override
        void forget(String input) {
            executor.forget(input);
        }

        @Override
        CollapseExecutor executor() {
            return executor;
        }

        @Override
        CollapseEngine<?, ?> engine() {
            return executor.engine();
        }

        @Override
        String callOnThisThread(String input, CallOptions options) throws Exception {
            return executor.execute(input, options);
        }
    }

    /** Shows a bundle that takes futures as one that takes outputs. */
    private static final class Unwrapped implements Bundle<String, String> {

        private final Bundle<String, CompletableFuture<String>> bundle;

        Unwrapped(Bundle<String, CompletableFuture<String>> bundle) {
            this.bundle = bundle;
        }

        static List<Unwrapped> all(List<Bundle<String, CompletableFuture<String>>> bundles) {
            return bundles.stream().map(Unwrapped::new).collect(toList());
        }

        @Override
        public String getInput() {
            return bundle.getInput();
        }

        @Override
        public boolean bindOutput(String output) {
            return bundle.bindOutput(CompletableFuture.completedFuture(output));
        }

        @Override
        public boolean bindError(Throwable failure) {
            return bundle.bindError(failure);
        }
    }

    private static final class AsyncSubject extends Subject {

        private final CollapseExecutorAsyncSupport<String, String, Map<String, String>> executor;

        AsyncSubject(CollapseOptions options, Backend backend, Binding binding, EngineScheduler time) {
            executor = new CollapseExecutorAsyncSupport<String, String, Map<String, String>>(options, time) {
                @Override
                protected Map<String, String> doExecute(Collection<Input<String>> inputs) throws Exception {
                    return backend.call(values(inputs)).await();
                }

                @Override
                protected void bindingOutput(
                        Map<String, String> outputs, List<Bundle<String, CompletableFuture<String>>> bundles)
                        throws Exception {
                    binding.bind(outputs, Unwrapped.all(bundles));
                }

                @Override
                protected Object groupOf(String input) {
                    return group(input);
                }

                @Override
                protected long weightOf(String input) {
                    return weight(input);
                }
            };
            Executor threads = runnable -> {
                Thread thread = new Thread(runnable, "batch");
                thread.setDaemon(true);
                thread.start();
            };
            executor.setExecutor(threads);
        }

        @Override
        Caller submit(String input, CallOptions options) {
            return new Caller.OfFuture(executor.execute(input, options));
        }

        @Override
        BulkCall submitEach(List<String> inputs, CallOptions options) {
            return new BulkCall.OfFutures(executor.executeEach(inputs, options));
        }

        @Override
        List<String> eachOnThisThread(String... inputs) throws Exception {
            return executor.executeAll(List.of(inputs)).get(10, TimeUnit.SECONDS);
        }

        @Override
        void forget(String input) {
            executor.forget(input);
        }

        @Override
        CollapseExecutor executor() {
            return executor;
        }

        @Override
        CollapseEngine<?, ?> engine() {
            return executor.engine();
        }

        @Override
        String callOnThisThread(String input, CallOptions options) throws Exception {
            return new Caller.OfFuture(executor.execute(input, options)).output();
        }
    }

    private static final class FutureSubject extends Subject {

        private final CollapseExecutorFutureSupport<String, String, Map<String, String>> executor;

        FutureSubject(CollapseOptions options, Backend backend, Binding binding, EngineScheduler time) {
            executor = new CollapseExecutorFutureSupport<String, String, Map<String, String>>(options, time) {
                @Override
                protected CompletionStage<Map<String, String>> doExecute(Collection<Input<String>> inputs) {
                    return backend.call(values(inputs)).result;
                }

                @Override
                protected void bindingOutput(
                        Map<String, String> outputs, List<Bundle<String, CompletableFuture<String>>> bundles)
                        throws Exception {
                    binding.bind(outputs, Unwrapped.all(bundles));
                }

                @Override
                protected Object groupOf(String input) {
                    return group(input);
                }

                @Override
                protected long weightOf(String input) {
                    return weight(input);
                }
            };
        }

        @Override
        Caller submit(String input, CallOptions options) {
            return new Caller.OfFuture(executor.execute(input, options));
        }

        @Override
        BulkCall submitEach(List<String> inputs, CallOptions options) {
            return new BulkCall.OfFutures(executor.executeEach(inputs, options));
        }

        @Override
        List<String> eachOnThisThread(String... inputs) throws Exception {
            return executor.executeAll(List.of(inputs)).get(10, TimeUnit.SECONDS);
        }

        @Override
        void forget(String input) {
            executor.forget(input);
        }

        @Override
        CollapseExecutor executor() {
            return executor;
        }

        @Override
        CollapseEngine<?, ?> engine() {
            return executor.engine();
        }

        @Override
        String callOnThisThread(String input, CallOptions options) throws Exception {
            return new Caller.OfFuture(executor.execute(input, options)).output();
        }
    }
}
