package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.core.BatchFunction;
import io.github.collapseexecutor.core.BlockingCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCollapseExecutor;
import io.github.collapseexecutor.core.InputOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.core.KeyedResult;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import io.github.collapseexecutor.spring.annotation.caller.CallerIdentities;
import io.github.collapseexecutor.spring.annotation.caller.CallerThread;
import io.github.collapseexecutor.spring.annotation.key.CallKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ResolvableType;

/** A method with {@link CollapseBatch}: calls for single items become one call of the batch method. */
final class BatchedMethod implements CollapsedMethod {

    /** Makes or joins a batch, or several for many items. */
    private interface Batching {
        @Nullable Object call(ProxyMethodInvocation invocation, List<Object> items) throws Exception;
    }

    // immutable
    private final AnnotatedMethod method;
    private final CallRules rules;
    private final BatchShape shape;
    private final AnnotatedMethod batchMethod;
    private final BatchAnswers answers;
    private final boolean optional;
    /** Null if the method takes one item. */
    private final @Nullable ManyItems many;

    private final MissingKeyPolicy missing;
    /** Is asked when the executor is made, and refuses what cannot be shared. */
    private final Function<JoinMode, @Nullable ItemsAmongInstances> sharing;

    private final Batching batching;

    /**
     * Reads the annotation, and refuses what cannot work.
     *
     * @param bean the class through which the batch method is called
     * @param whyNotOne from {@link CallSharing#whyNotOne}
     */
    BatchedMethod(
            AnnotatedMethod method,
            CollapseBatch annotation,
            Class<?> bean,
            AnnotatedExecutors executors,
            CallerIdentities identities,
            CallSharing sharing,
            @Nullable String whyNotOne,
            Changes changes) {
        method.checkParameters();
        AnswerType single = AnswerType.of(method);
        this.method = method;
        this.shape = BatchShape.of(method, annotation, bean);
        this.batchMethod = new AnnotatedMethod(method.beanName(), method.owner(), shape.method(), method.annotation());
        this.many = shape.ofMany() ? ManyItems.of(method, single, annotation) : null;
        this.optional = many == null && single.isOptional();
        ResolvableType argument = method.parameterTypes().get(shape.item());
        ResolvableType answer = many == null ? single.element() : many.answer();
        this.answers = BatchAnswers.of(
                method,
                annotation,
                returned(method, single.kind(), batchMethod),
                many == null ? argument : argument.getGeneric(0),
                answer);
        this.missing = annotation.missing();
        if (missing == MissingKeyPolicy.NULL && method.method().getReturnType().isPrimitive()) {
            throw method.refused(
                    "it returns a primitive, which cannot be null for an item without an answer",
                    "Return the boxed type, or say missing = MissingKeyPolicy.FAILURE.");
        }
        if (annotation.maxBatchSize() < 0) {
            throw method.refused(
                    "maxBatchSize = " + annotation.maxBatchSize() + " is negative",
                    "Give at least 1, or leave it out.");
        }
        Changes all = annotation.maxBatchSize() == 0
                ? changes
                : changes.and(options -> options.maxBatchSize(annotation.maxBatchSize()));
        this.rules = new CallRules(method, executors, identities, changes.name(), annotation.acrossUsers());
        this.sharing = mode -> sharing.ofItems(method, answer, changes.name(), whyNotOne, mode);
        if (single.kind() == AnswerType.Kind.PLAIN) {
            AnnotatedExecutors.Slot<BlockingCollapseExecutor<BatchInput, @Nullable Object>> executor =
                    executors.add(all.name(), all.options(), this::blocking);
            this.batching = (invocation, items) -> answer(executor.get(), invocation, items);
        } else {
            AnnotatedExecutors.Slot<FutureCollapseExecutor<BatchInput, @Nullable Object>> executor =
                    executors.add(all.name(), all.options(), this::future);
            this.batching = single.kind() == AnswerType.Kind.MONO
                    ? (invocation, items) -> mono(executor, invocation, items)
                    : (invocation, items) -> stage(executor.get(), invocation, items);
        }
    }

    /** What the batch method returns, out of its future or Mono; both methods must hand over alike. */
    private static ResolvableType returned(AnnotatedMethod method, AnswerType.Kind kind, AnnotatedMethod batchMethod) {
        ResolvableType batch = batchMethod.returnType();
        if (batchMethod.isSuspending() && method.isSuspending()) {
            return batch;
        }
        Class<?> type = batch.resolve(Object.class);
        boolean flux = type.getName().equals("reactor.core.publisher.Flux");
        boolean mono = flux || type.getName().equals("reactor.core.publisher.Mono");
        boolean future = CompletionStage.class.isAssignableFrom(type);
        boolean fits = switch (kind) {
            case PLAIN -> !mono && !future;
            case FUTURE -> future;
            case MONO -> mono;
        };
        if (!fits || batchMethod.isSuspending()) {
            throw method.refused(
                    "it hands its answer over in another way than the batch method, which returns " + batch,
                    "Let both return plain answers, both a CompletionStage or CompletableFuture, or both a Mono or Flux;"
                            + " a function that suspends fits one that suspends, or a Mono or Flux.");
        }
        if (flux) {
            return ResolvableType.forClassWithGenerics(List.class, batch.getGeneric(0));
        }
        return kind == AnswerType.Kind.PLAIN ? batch : batch.as(type).getGeneric(0);
    }

    @Override
    public AnnotatedMethod described() {
        return method;
    }

    @Override
    public AnnotatedMethod batchMethod() {
        return batchMethod;
    }

    @Override
    public @Nullable Object call(ProxyMethodInvocation invocation) throws Throwable {
        if (rules.passes()) {
            return invocation.proceed();
        }
        @Nullable Object[] arguments = invocation.getArguments();
        List<Object> items = items(arguments[shape.item()]);
        if (items.isEmpty()) {
            return invocation.proceed();
        }
        @Nullable Object[] named = rules.named(arguments);
        for (int i = 0; i < named.length; i++) {
            if (i != shape.item()) {
                rules.check(named[i], i);
            }
        }
        items.forEach(item -> rules.check(item, shape.item()));
        return batching.call(invocation, items);
    }

    /** The items of an argument; empty if the method itself is to be called. */
    private List<Object> items(@Nullable Object argument) {
        if (argument == null) {
            return List.of();
        }
        return many == null ? List.of(argument) : many.items(argument);
    }

    /** The inputs of a call; they have one group. */
    private List<BatchInput> inputs(
            ProxyMethodInvocation invocation,
            List<Object> items,
            @Nullable Object user,
            CallerThread thread,
            @Nullable Object context) {
        List<@Nullable Object> others = new ArrayList<>(Arrays.asList(rules.named(invocation.getArguments())));
        others.remove(shape.item());
        CallKey group = new CallKey(Invocations.target(invocation), others, user);
        List<BatchInput> inputs = new ArrayList<>(items.size());
        for (Object item : items) {
            inputs.add(new BatchInput(group, item, invocation, thread, context));
        }
        return inputs;
    }

    private @Nullable Object answer(
            BlockingCollapseExecutor<BatchInput, @Nullable Object> executor,
            ProxyMethodInvocation invocation,
            List<Object> items)
            throws Exception {
        List<BatchInput> inputs = inputs(invocation, items, rules.user(), CallerThread.NONE, null);
        ManyItems all = many;
        try {
            return ChangedArgumentException.untilOwn(
                    inputs.get(0).group(),
                    () -> all == null ? executor.execute(inputs.get(0)) : all.of(items, executor.executeAll(inputs)));
        } catch (Exception failure) {
            throw rules.ended(invocation, failure);
        }
    }

    private CompletionStage<@Nullable Object> stage(
            FutureCollapseExecutor<BatchInput, @Nullable Object> executor,
            ProxyMethodInvocation invocation,
            List<Object> items) {
        return future(executor, inputs(invocation, items, rules.user(), rules.thread(), null));
    }

    private CompletableFuture<@Nullable Object> future(
            FutureCollapseExecutor<BatchInput, @Nullable Object> executor, List<BatchInput> inputs) {
        ManyItems all = many;
        return ChangedArgumentException.untilOwn(
                inputs.get(0).group(),
                () -> all == null
                        ? executor.execute(inputs.get(0))
                        : LinkedStages.mapped(executor.executeAll(inputs), answers -> all.of(items(inputs), answers)));
    }

    private Object mono(
            AnnotatedExecutors.Slot<FutureCollapseExecutor<BatchInput, @Nullable Object>> executor,
            ProxyMethodInvocation invocation,
            List<Object> items) {
        Object user = rules.user();
        Object elements = rules.contextOf(invocation);
        CallerThread thread = rules.thread();
        return MonoCalls.call(
                rules,
                () -> thread.run(() -> Invocations.proceedAnywhere(invocation)),
                (identity, context) -> future(
                        executor.get(),
                        inputs(invocation, items, MonoCalls.identity(user, elements, identity), thread, context)));
    }

    private BlockingCollapseExecutor<BatchInput, @Nullable Object> blocking(CollapseOptions options) {
        BatchFunction<Collection<BatchInput>, Map<BatchInput, @Nullable Object>> own =
                UnchangedInputs.blocking(method, inputs -> found(inputs, batchOf(inputs)));
        ItemsAmongInstances shared = sharing.apply(options.joinMode());
        // before other instances are asked, and again when the batch method is called
        BatchFunction<Collection<BatchInput>, Map<BatchInput, @Nullable Object>> function =
                shared == null ? own : UnchangedInputs.blocking(method, shared.blocking(own));
        return CollapseExecutors.blockingByKey(
                inputs -> presented(inputs, function.apply(inputs)), missing, grouped(options));
    }

    private FutureCollapseExecutor<BatchInput, @Nullable Object> future(CollapseOptions options) {
        BatchFunction<Collection<BatchInput>, CompletionStage<Map<BatchInput, @Nullable Object>>> own =
                UnchangedInputs.future(
                        method, inputs -> LinkedStages.mapped(stage(inputs), returned -> found(inputs, returned)));
        ItemsAmongInstances shared = sharing.apply(options.joinMode());
        BatchFunction<Collection<BatchInput>, CompletionStage<Map<BatchInput, @Nullable Object>>> function =
                shared == null ? own : UnchangedInputs.future(method, shared.future(own));
        return CollapseExecutors.futureByKey(
                inputs -> LinkedStages.mapped(function.apply(inputs), found -> presented(inputs, found)),
                missing,
                grouped(options));
    }

    private static InputOptions<BatchInput> grouped(CollapseOptions options) {
        return options.groupBy(BatchInput::group);
    }

    /** Calls the batch method for a batch. */
    private @Nullable Object batchOf(Collection<BatchInput> inputs) throws Exception {
        ProxyMethodInvocation first = inputs.iterator().next().call();
        return shape.call(first.getProxy(), first.getArguments(), items(inputs));
    }

    @SuppressWarnings("unchecked") // the start has checked what the batch method returns
    private CompletionStage<Object> stage(Collection<BatchInput> inputs) throws Exception {
        BatchInput first = inputs.iterator().next();
        return first.thread().run(() -> {
            Object returned = batchOf(inputs);
            return returned instanceof CompletionStage<?> stage
                    ? (CompletionStage<Object>) stage
                    : MonoCalls.future(returned, first.context());
        });
    }

    private static List<Object> items(Collection<BatchInput> inputs) {
        List<Object> items = new ArrayList<>(inputs.size());
        inputs.forEach(input -> items.add(input.item()));
        return items;
    }

    /** Finds each input's answer in what the batch method returned. */
    private Map<BatchInput, @Nullable Object> found(Collection<BatchInput> inputs, @Nullable Object returned) {
        Map<?, Throwable> failed = BatchAnswers.failures(returned);
        Map<Object, @Nullable Object> byItem = answers.of(items(inputs), returned);
        Map<BatchInput, @Nullable Object> found = new HashMap<>();
        Map<BatchInput, Throwable> failures = new HashMap<>();
        for (BatchInput input : inputs) {
            Throwable failure = failed.get(input.item());
            if (!input.isItemAsItWas()) { // what was returned stands under the item that it was
                failures.put(input, new ChangedArgumentException(method, input.group()));
            } else if (failure != null) {
                failures.put(input, failure);
            } else if (byItem.containsKey(input.item())) {
                found.put(input, byItem.get(input.item()));
            }
        }
        return failures.isEmpty() ? found : KeyedResult.of(found, failures);
    }

    /** Gives each input its answer, as the single method returns it. */
    private Map<BatchInput, @Nullable Object> presented(
            Collection<BatchInput> inputs, Map<BatchInput, @Nullable Object> found) {
        if (!optional) {
            return found;
        }
        Map<BatchInput, @Nullable Object> presented = new HashMap<>();
        for (BatchInput input : inputs) {
            if (missing == MissingKeyPolicy.NULL || found.containsKey(input)) {
                presented.put(input, Optional.ofNullable(found.get(input)));
            }
        }
        return found instanceof KeyedResult<BatchInput, @Nullable Object> result
                ? KeyedResult.of(presented, result.failures())
                : presented;
    }
}
