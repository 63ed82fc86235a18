package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.annotation.caller.CallerIdentities;
import io.github.collapseexecutor.spring.annotation.caller.CallerThread;
import io.github.collapseexecutor.spring.annotation.key.CallKey;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** A method with {@link Collapsible}: identical calls share one. */
final class SharedMethod implements CollapsedMethod {

    /** Makes or joins a call with a key. */
    private interface Sharing {
        @Nullable Object call(ProxyMethodInvocation invocation, List<@Nullable Object> values) throws Exception;
    }

    // immutable
    private final AnnotatedMethod method;
    private final CallRules rules;
    private final @Nullable KeyExpression key;
    private final Sharing sharing;

    /** Reads the annotation, and refuses what cannot work. */
    SharedMethod(
            AnnotatedMethod method,
            Collapsible annotation,
            AnnotatedExecutors executors,
            CallerIdentities identities,
            CallSharing sharing,
            @Nullable String whyNotOne,
            Changes changes) {
        this.method = method;
        this.key = annotation.key().isEmpty() ? null : KeyExpression.of(method, annotation.key());
        if (key == null) {
            method.checkParameters();
        }
        if (annotation.join().length > 1) {
            throw method.refused(
                    "join = " + Arrays.toString(annotation.join()) + " has more than one mode", "Name one, or none.");
        }
        Changes withJoin = annotation.join().length == 0
                ? changes
                : changes.and(options -> options.joinMode(annotation.join()[0]));
        Changes all = withJoin.and(sharing.ofCalls(method, changes.name(), whyNotOne));
        this.rules = new CallRules(method, executors, identities, changes.name(), annotation.acrossUsers());
        AnswerType.Kind kind = AnswerType.of(method).kind();
        if (kind == AnswerType.Kind.PLAIN) {
            AnnotatedExecutors.Slot<BlockingCallableGroupCollapseExecutor> executor =
                    executors.add(all.name(), all.options(), BlockingCallableGroupCollapseExecutor::new);
            this.sharing = (invocation, values) -> shared(executor.get(), invocation, values);
        } else {
            AnnotatedExecutors.Slot<FutureCallableGroupCollapseExecutor> executor =
                    executors.add(all.name(), all.options(), FutureCallableGroupCollapseExecutor::new);
            this.sharing = kind == AnswerType.Kind.FUTURE
                    ? (invocation, values) -> sharedFuture(executor.get(), invocation, values)
                    : (invocation, values) -> sharedMono(executor.get(), invocation, values);
        }
    }

    @Override
    public AnnotatedMethod described() {
        return method;
    }

    @Override
    public @Nullable AnnotatedMethod batchMethod() {
        return null;
    }

    @Override
    public @Nullable Object call(ProxyMethodInvocation invocation) throws Throwable {
        if (rules.passes()) {
            return invocation.proceed();
        }
        List<@Nullable Object> values = values(invocation.getArguments());
        if (values.isEmpty() && key != null) {
            return invocation.proceed();
        }
        return sharing.call(invocation, values);
    }

    /** What the calls have in common; with a key that is null, nothing. */
    private List<@Nullable Object> values(@Nullable Object[] arguments) {
        if (key == null) {
            @Nullable Object[] named = rules.named(arguments);
            for (int i = 0; i < named.length; i++) {
                rules.check(named[i], i);
            }
            return Arrays.asList(named.clone());
        }
        Object value = key.valueOf(arguments);
        if (value == null) {
            return List.of();
        }
        rules.checkKey(value);
        return List.of(value);
    }

    private CallKey key(ProxyMethodInvocation invocation, List<@Nullable Object> values) {
        return new CallKey(Invocations.target(invocation), values, rules.user());
    }

    /** Returns a caller's call, which fails if an argument has changed meanwhile. */
    private <R extends @Nullable Object> KeyedCall<R> keyed(CallKey key, Callable<R> call) {
        return new KeyedCall<>(key, () -> {
            rules.checkUnchanged(key);
            return call.call();
        });
    }

    private @Nullable Object shared(
            BlockingCallableGroupCollapseExecutor executor,
            ProxyMethodInvocation invocation,
            List<@Nullable Object> values)
            throws Exception {
        CallKey key = key(invocation, values);
        KeyedCall<@Nullable Object> call = keyed(key, () -> Invocations.proceed(invocation));
        try {
            return ChangedArgumentException.untilOwn(key, () -> executor.execute(key, call));
        } catch (Exception failure) {
            throw rules.ended(invocation, failure);
        }
    }

    private CompletionStage<@Nullable Object> sharedFuture(
            FutureCallableGroupCollapseExecutor executor,
            ProxyMethodInvocation invocation,
            List<@Nullable Object> values) {
        CallerThread thread = rules.thread();
        CallKey key = key(invocation, values);
        KeyedCall<CompletionStage<Object>> call = keyed(key, () -> stage(thread, invocation));
        return ChangedArgumentException.untilOwn(key, () -> executor.execute(key, call));
    }

    @SuppressWarnings("unchecked") // the method's return type is a stage
    private static CompletionStage<Object> stage(CallerThread thread, ProxyMethodInvocation invocation)
            throws Exception {
        return (CompletionStage<Object>) thread.run(() -> Invocations.proceedAnywhere(invocation));
    }

    private Object sharedMono(
            FutureCallableGroupCollapseExecutor executor,
            ProxyMethodInvocation invocation,
            List<@Nullable Object> values) {
        CallerThread thread = rules.thread();
        Object user = rules.user();
        Object elements = rules.contextOf(invocation);
        return MonoCalls.call(
                rules, () -> thread.run(() -> Invocations.proceedAnywhere(invocation)), (identity, context) -> {
                    CallKey key = new CallKey(
                            Invocations.target(invocation), values, MonoCalls.identity(user, elements, identity));
                    KeyedCall<CompletableFuture<Object>> call = keyed(
                            key,
                            () -> thread.run(() -> MonoCalls.future(Invocations.proceedAnywhere(invocation), context)));
                    return ChangedArgumentException.untilOwn(key, () -> executor.execute(key, call));
                });
    }
}
