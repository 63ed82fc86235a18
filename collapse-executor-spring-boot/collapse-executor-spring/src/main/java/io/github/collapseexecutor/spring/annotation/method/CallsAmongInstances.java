package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.BatchHandle;
import io.github.collapseexecutor.core.CallWrapper;
import io.github.collapseexecutor.spring.annotation.KeyForm;
import io.github.collapseexecutor.spring.annotation.key.CallKey;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * Shares the calls of one method with other instances. Their key is a form of the method, the arguments and the user. A call
 * without such a form is made as without other instances.
 *
 * <p>The callers of a group have equal arguments, which may have several forms. The form is that of the caller whose call is made.
 *
 * <p>An argument may change while other instances are asked. So the form is made again when the call is made: if it is another one by then, the
 * call fails for the caller who has changed it, and other instances are not told of its answer. Neither are they if it cannot be made again.
 *
 * @param sharing shares the calls of groups that are plain values
 * @param optional whether the method's answers are Optionals, of whose values other instances are told
 */
record CallsAmongInstances(AnnotatedMethod method, CallWrapper sharing, CallForms forms, boolean optional)
        implements CallWrapper {

    /** Begins the groups of annotated methods, so that no group of another executor of the same name is equal to one. */
    private enum Group {
        ANNOTATED_METHOD
    }

    @Override
    public Callable<?> wrapCall(Object group, Callable<?> callable) {
        CallKey key = keyOf(callable);
        Object form = formOf(key);
        if (form == null) {
            return callable;
        }
        Callable<?> shared = sharing.wrapCall(groupOf(form), () -> {
            Object now = forms.of(key, null);
            try {
                checkUnchanged(key, form, now);
                Object answer = callable.call();
                return now == null ? new OfOneInstance(answer, null) : told(answer);
            } catch (Exception failure) {
                return ofOneInstance(failure, now);
            }
        });
        BatchCall<Object> answering = batch -> {
            Object value = call(shared, batch);
            if (value instanceof OfOneInstance own && own.failure() != null) {
                ReflectionUtils.rethrowException(own.failure());
            }
            return whole(value);
        };
        return answering;
    }

    @Override
    public Callable<? extends CompletionStage<?>> wrapStage(
            Object group, Callable<? extends CompletionStage<?>> callable) {
        CallKey key = keyOf(callable);
        Object form = formOf(key);
        if (form == null) {
            return callable;
        }
        Callable<? extends CompletionStage<?>> shared = sharing.wrapStage(groupOf(form), () -> {
            Object now = forms.of(key, null);
            try {
                checkUnchanged(key, form, now);
                CompletionStage<?> stage = callable.call();
                return now == null
                        ? LinkedStages.after(
                                stage, (value, failure, answer) -> answer.complete(new OfOneInstance(value, failure)))
                        : LinkedStages.mapped(stage, this::told);
            } catch (Exception failure) {
                return CompletableFuture.completedFuture(ofOneInstance(failure, now));
            }
        });
        BatchCall<CompletionStage<@Nullable Object>> answered =
                batch -> LinkedStages.after(call(shared, batch), (value, failure, answer) -> {
                    Throwable own = value instanceof OfOneInstance ofOne ? ofOne.failure() : failure;
                    LinkedStages.end(own == null ? whole(value) : null, own, answer);
                });
        return answered;
    }

    /** Of the caller whose call it is, whatever the group's first caller has handed in. */
    private static CallKey keyOf(Callable<?> callable) {
        return ((KeyedCall<?>) callable).key();
    }

    /** Returns null if there is none, and if an argument has changed: such a call fails, and its followers have asked for another one. */
    private @Nullable Object formOf(CallKey key) {
        return key.isAsItWas() ? forms.of(key, null) : null;
    }

    private static List<Object> groupOf(Object form) {
        return List.of(Group.ANNOTATED_METHOD, form);
    }

    private static <R> R call(Callable<R> shared, BatchHandle batch) throws Exception {
        return shared instanceof BatchCall<R> ofBatch ? ofBatch.call(batch) : shared.call();
    }

    /** What other instances are told of an answer. */
    private @Nullable Object told(@Nullable Object answer) {
        return optional && answer instanceof Optional<?> value ? value.orElse(null) : answer;
    }

    /** What callers get, which may be null. */
    @SuppressWarnings("NullAway")
    private Object whole(@Nullable Object told) {
        if (told instanceof OfOneInstance own) {
            return own.answer();
        }
        return optional ? Optional.ofNullable(told) : told;
    }

    /**
     * Refuses a call whose arguments are not those of its form any more.
     *
     * @param now the form that they have now; null if they have none, as where a {@link KeyForm} fails: then it is not known
     */
    private void checkUnchanged(CallKey key, Object form, @Nullable Object now) {
        if (now != null && !now.equals(form)) {
            throw new ChangedArgumentException(method, key);
        }
    }

    /** Keeps a failure from other instances if it is none of what they have asked for, or if that is not known; else throws it on. */
    private static OfOneInstance ofOneInstance(Exception failure, @Nullable Object now) throws Exception {
        if (now == null || failure instanceof ChangedArgumentException) {
            return new OfOneInstance(null, failure);
        }
        throw failure;
    }
}
