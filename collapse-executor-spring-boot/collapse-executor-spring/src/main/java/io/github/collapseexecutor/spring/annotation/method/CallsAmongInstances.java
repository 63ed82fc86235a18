package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.BatchHandle;
import io.github.collapseexecutor.core.CallWrapper;
import io.github.collapseexecutor.spring.annotation.KeyForm;
import io.github.collapseexecutor.spring.annotation.key.CallKey;
import io.github.collapseexecutor.spring.annotation.key.KeyForms;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Shares the calls of one method with other instances. Their key is a text of the method, the arguments and the user. A call
 * without such a text is made as without other instances.
 *
 * <p>The callers of a group have equal arguments, which may have several texts. The text is that of the caller whose call is made.
 *
 * <p>An argument may change while other instances are asked. So the text is made again when the call is made: if it is another one by then, the
 * call fails for the caller who has changed it, and other instances are not told of its answer. Neither are they if it cannot be made again.
 */
final class CallsAmongInstances implements CallWrapper {

    /** Begins the groups of annotated methods, so that no group of another executor of the same name is equal to one. */
    private enum Group {
        ANNOTATED_METHOD
    }

    // immutable
    private final AnnotatedMethod method;
    private final CallWrapper sharing;
    private final CallTexts texts;
    private final boolean optional;

    /**
     * Creates a wrapper.
     *
     * @param sharing shares the calls of groups that are plain values
     * @param optional whether the method's answers are Optionals, of whose values other instances are told
     */
    CallsAmongInstances(AnnotatedMethod method, CallWrapper sharing, KeyForms forms, boolean optional) {
        this.method = method;
        this.sharing = sharing;
        this.texts = new CallTexts(method, forms);
        this.optional = optional;
    }

    @Override
    public Callable<?> wrapCall(Object group, Callable<?> callable) {
        CallKey key = keyOf(callable);
        String text = textOf(key);
        if (text == null) {
            return callable;
        }
        Callable<?> shared = sharing.wrapCall(groupOf(text), () -> answer(key, text, callable));
        BatchCall<@Nullable Object> answering = batch -> {
            try {
                Object value = call(shared, batch);
                return optional ? Optional.ofNullable(value) : value;
            } catch (OfOneInstance own) {
                return own.outcome().call();
            }
        };
        return answering;
    }

    @Override
    public Callable<? extends CompletionStage<?>> wrapStage(
            Object group, Callable<? extends CompletionStage<?>> callable) {
        CallKey key = keyOf(callable);
        String text = textOf(key);
        if (text == null) {
            return callable;
        }
        Callable<? extends CompletionStage<?>> shared =
                sharing.wrapStage(groupOf(text), () -> stage(key, text, callable));
        BatchCall<CompletionStage<@Nullable Object>> answered =
                batch -> LinkedStages.after(call(shared, batch), this::pack);
        return answered;
    }

    /** Of the caller whose call it is, whatever the group's first caller has handed in. */
    private static CallKey keyOf(Callable<?> callable) {
        return ((KeyedCall<?>) callable).key();
    }

    /** Returns null if there is none, and if an argument has changed: such a call fails, and its followers have asked for another one. */
    private @Nullable String textOf(CallKey key) {
        return key.isAsItWas() ? texts.of(key) : null;
    }

    private static List<Object> groupOf(String text) {
        return List.of(Group.ANNOTATED_METHOD, text);
    }

    private static <R> R call(Callable<R> shared, BatchHandle batch) throws Exception {
        return shared instanceof BatchCall<R> ofBatch ? ofBatch.call(batch) : shared.call();
    }

    private void pack(@Nullable Object value, @Nullable Throwable failure, CompletableFuture<@Nullable Object> answer) {
        if (failure instanceof OfOneInstance own) {
            LinkedStages.end(own.answer(), own.failure(), answer);
        } else {
            LinkedStages.end(optional ? Optional.ofNullable(value) : value, failure, answer);
        }
    }

    private static @Nullable Object valueOf(@Nullable Object answer) {
        return answer instanceof Optional<?> value ? value.orElse(null) : answer;
    }

    /** Makes a call, and returns what other instances are told. */
    private @Nullable Object answer(CallKey key, String text, Callable<?> callable) throws Exception {
        String now = texts.of(key);
        Object answer;
        try {
            checkUnchanged(key, text, now);
            answer = callable.call();
        } catch (Exception failure) {
            if (isOfOneInstance(failure, now)) {
                throw OfOneInstance.failed(failure);
            }
            throw failure;
        }
        if (now == null) {
            throw OfOneInstance.ended(answer, null);
        }
        return optional ? valueOf(answer) : answer;
    }

    /** Makes a call, and returns the stage of what other instances are told. */
    private CompletionStage<?> stage(CallKey key, String text, Callable<? extends CompletionStage<?>> callable)
            throws Exception {
        String now = texts.of(key);
        CompletionStage<?> stage;
        try {
            checkUnchanged(key, text, now);
            stage = callable.call();
        } catch (Exception failure) {
            if (isOfOneInstance(failure, now)) {
                return CompletableFuture.failedFuture(OfOneInstance.failed(failure));
            }
            throw failure;
        }
        if (now == null) {
            return LinkedStages.after(
                    stage,
                    (value, failure, answer) -> answer.completeExceptionally(OfOneInstance.ended(value, failure)));
        }
        return optional ? LinkedStages.mapped(stage, CallsAmongInstances::valueOf) : stage;
    }

    /**
     * Refuses a call whose arguments are not those of its text any more.
     *
     * @param now the text that they have now; null if they have none, as where a {@link KeyForm} fails: then it is not known
     */
    private void checkUnchanged(CallKey key, String text, @Nullable String now) {
        if (now != null && !now.equals(text)) {
            throw new ChangedArgumentException(method, key);
        }
    }

    private static boolean isOfOneInstance(Exception failure, @Nullable String now) {
        return now == null || failure instanceof ChangedArgumentException;
    }
}
