package io.github.collapseexecutor.spring.annotation.method;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.BatchFunction;
import io.github.collapseexecutor.core.KeyedResult;
import io.github.collapseexecutor.spring.annotation.BatchSharing;
import io.github.collapseexecutor.spring.annotation.key.KeyForms;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Shares the items of one method's batches with other instances. The key of an item is a text of the method, the other arguments, the user and
 * the item.
 *
 * <p>The callers of a batch have equal other arguments, of which the batch method is given one caller's. Where equal arguments have several texts, or
 * an item has none, a batch is called for as without other instances.
 *
 * <p>An argument may change while other instances are asked. So the text is made again when the batch method is called: if it is another one by
 * then, the batch goes without that item, whose caller fails, and other instances are not told. If it cannot be made again, the item's caller makes
 * its own call.
 */
final class ItemsAmongInstances {

    /** Begins the keys of annotated methods, so that no key of another function of the same name is equal to one. */
    private enum Group {
        ANNOTATED_BATCH
    }

    // immutable
    private final AnnotatedMethod method;
    private final BatchSharing sharing;
    private final CallTexts texts;

    ItemsAmongInstances(AnnotatedMethod method, BatchSharing sharing, KeyForms forms) {
        this.method = method;
        this.sharing = sharing;
        this.texts = new CallTexts(method, forms);
    }

    BatchFunction<Collection<BatchInput>, Map<BatchInput, @Nullable Object>> blocking(
            BatchFunction<Collection<BatchInput>, Map<BatchInput, @Nullable Object>> own) {
        return inputs -> {
            Map<Object, List<BatchInput>> byKey = byKey(inputs);
            if (byKey.isEmpty()) {
                return own.apply(inputs);
            }
            return answers(
                    byKey,
                    sharing.share(keys -> {
                                Call call = new Call(byKey, keys);
                                return call.asked.isEmpty()
                                        ? call.outcome(Map.of())
                                        : call.outcome(own.apply(call.inputs()));
                            })
                            .apply(byKey.keySet()));
        };
    }

    BatchFunction<Collection<BatchInput>, CompletionStage<Map<BatchInput, @Nullable Object>>> future(
            BatchFunction<Collection<BatchInput>, CompletionStage<Map<BatchInput, @Nullable Object>>> own) {
        return inputs -> {
            Map<Object, List<BatchInput>> byKey = byKey(inputs);
            if (byKey.isEmpty()) {
                return own.apply(inputs);
            }
            CompletionStage<Map<Object, @Nullable Object>> shared = sharing.shareStages(keys -> {
                        Call call = new Call(byKey, keys);
                        return call.asked.isEmpty()
                                ? CompletableFuture.completedFuture(call.outcome(Map.of()))
                                : LinkedStages.mapped(own.apply(call.inputs()), call::outcome);
                    })
                    .apply(byKey.keySet());
            return LinkedStages.mapped(shared, returned -> answers(byKey, returned));
        };
    }

    /** Returns the inputs by their keys, more than one where unequal items have one text; empty if the batch cannot be shared. */
    private Map<Object, List<BatchInput>> byKey(Collection<BatchInput> inputs) {
        Map<Object, List<BatchInput>> byKey = new LinkedHashMap<>();
        String common = null;
        for (BatchInput input : inputs) {
            String text = texts.of(input.group());
            Object key = text == null ? null : keyOf(text, input);
            if (text == null || key == null) {
                return Map.of();
            }
            if (common != null && !common.equals(text)) {
                texts.refuse(
                        "the arguments beside the item are equal for callers, and have several texts",
                        "Let equals compare what the text holds, or let a KeyForm leave it out.",
                        null);
                return Map.of();
            }
            common = text;
            byKey.computeIfAbsent(key, absent -> new ArrayList<>()).add(input);
        }
        return Collections.unmodifiableMap(byKey);
    }

    private @Nullable Object keyOf(String group, BatchInput input) {
        String item = texts.ofItem(input.item());
        return item == null ? null : List.of(Group.ANNOTATED_BATCH, group, item);
    }

    private @Nullable Object keyOf(BatchInput input) {
        String group = texts.of(input.group());
        return group == null ? null : keyOf(group, input);
    }

    /** Some keys of a batch, for which the batch method is called now. */
    private final class Call {

        // immutable
        /** Of each key, one input. */
        private final Map<Object, BatchInput> asked = new LinkedHashMap<>();

        private final Map<Object, Throwable> failures = new HashMap<>();

        Call(Map<Object, List<BatchInput>> byKey, Collection<Object> keys) {
            for (Object key : keys) {
                BatchInput first = requireNonNull(byKey.get(key)).get(0);
                Object now = keyOf(first);
                if (now == null) { // a KeyForm fails: it is not known of which item others would be told
                    failures.put(key, OfOneInstance.ownCall());
                } else if (key.equals(now)) {
                    asked.put(key, first);
                } else {
                    failures.put(key, OfOneInstance.failed(new ChangedArgumentException(method, first.group())));
                }
            }
        }

        Collection<BatchInput> inputs() {
            return Collections.unmodifiableCollection(asked.values());
        }

        /** Says what the keys have got. */
        KeyedResult<Object, @Nullable Object> outcome(Map<BatchInput, @Nullable Object> returned) {
            Map<BatchInput, Throwable> failed =
                    returned instanceof KeyedResult<BatchInput, ?> result ? result.failures() : Map.of();
            Map<Object, @Nullable Object> values = new HashMap<>();
            asked.forEach((key, input) -> {
                Throwable failure = failed.get(input);
                if (failure instanceof ChangedArgumentException) {
                    failures.put(key, OfOneInstance.failed(failure));
                } else if (failure != null) {
                    failures.put(key, failure);
                } else if (returned.get(input) == BatchAnswers.OWN_CALL) {
                    failures.put(key, OfOneInstance.ownCall());
                } else if (returned.containsKey(input)) {
                    values.put(key, returned.get(input));
                }
            });
            return KeyedResult.of(values, failures);
        }
    }

    /** Gives each input what its key has got. */
    private static Map<BatchInput, @Nullable Object> answers(
            Map<Object, List<BatchInput>> byKey, Map<Object, @Nullable Object> returned) {
        Map<Object, Throwable> failed =
                returned instanceof KeyedResult<Object, ?> result ? result.failures() : Map.of();
        Map<BatchInput, @Nullable Object> answers = new HashMap<>();
        Map<BatchInput, Throwable> failures = new HashMap<>();
        byKey.forEach((key, inputs) -> inputs.forEach(input -> {
            Throwable failure = failed.get(key);
            if (failure instanceof OfOneInstance own && own.failure() == null) {
                answers.put(input, own.answer());
            } else if (failure instanceof OfOneInstance own) {
                failures.put(input, requireNonNull(own.failure()));
            } else if (failure != null) {
                failures.put(input, failure);
            } else if (returned.containsKey(key)) {
                answers.put(input, returned.get(key));
            }
        }));
        return KeyedResult.of(answers, failures);
    }
}
