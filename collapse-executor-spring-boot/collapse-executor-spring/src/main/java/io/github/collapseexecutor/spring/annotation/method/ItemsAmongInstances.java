package io.github.collapseexecutor.spring.annotation.method;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.BatchFunction;
import io.github.collapseexecutor.core.KeyedResult;
import io.github.collapseexecutor.spring.annotation.BatchSharing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Shares the items of one method's batches with other instances. The key of an item is a form of the method, the other arguments, the user and
 * the item.
 *
 * <p>The callers of a batch have equal other arguments, of which the batch method is given one caller's. Where equal arguments have several forms, or
 * an item has none, a batch is called for as without other instances.
 *
 * <p>An argument may change while other instances are asked. So the form is made again when the batch method is called: if it is another one by
 * then, the batch goes without that item, whose caller fails, and other instances are not told. If it cannot be made again, other
 * instances are not told of the answer.
 */
record ItemsAmongInstances(AnnotatedMethod method, BatchSharing sharing, CallForms forms) {

    /** Begins the keys of annotated methods, so that no key of another function of the same name is equal to one. */
    private enum Group {
        ANNOTATED_BATCH
    }

    /** In place of an answer that there is none of. */
    private static final Object MISSING = new Object();

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

    /** Returns the inputs by their keys, more than one where unequal items have one form; empty if the batch cannot be shared. */
    private Map<Object, List<BatchInput>> byKey(Collection<BatchInput> inputs) {
        Map<Object, List<BatchInput>> byKey = new LinkedHashMap<>();
        Set<Object> groups = new HashSet<>();
        for (BatchInput input : inputs) {
            List<Object> form = forms.of(input.group(), input.item());
            if (form == null) {
                return Map.of();
            }
            groups.add(form.subList(0, form.size() - 1));
            byKey.computeIfAbsent(keyOf(form), absent -> new ArrayList<>()).add(input);
        }
        if (groups.size() > 1) {
            forms.refuse(
                    "the arguments beside the item are equal for callers, and have several texts",
                    "Let equals compare what the text holds, or let a KeyForm leave it out",
                    null);
            return Map.of();
        }
        return Collections.unmodifiableMap(byKey);
    }

    private static Object keyOf(List<Object> form) {
        return List.of(Group.ANNOTATED_BATCH, form);
    }

    /** Some keys of a batch, for which the batch method is called now. */
    private final class Call {

        // immutable
        /** Of each key, one input. */
        private final Map<Object, BatchInput> asked = new LinkedHashMap<>();
        /** Keys whose form is not known any more, as where a KeyForm fails. */
        private final Set<Object> ofOneInstance = new HashSet<>();

        private final Map<Object, @Nullable Object> values = new HashMap<>();

        Call(Map<Object, List<BatchInput>> byKey, Collection<Object> keys) {
            for (Object key : keys) {
                BatchInput first = requireNonNull(byKey.get(key)).get(0);
                List<Object> now = forms.of(first.group(), first.item());
                if (now == null) {
                    ofOneInstance.add(key);
                }
                if (now == null || key.equals(keyOf(now))) {
                    asked.put(key, first);
                } else {
                    values.put(key, new OfOneInstance(null, new ChangedArgumentException(method, first.group())));
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
            Map<Object, Throwable> failures = new HashMap<>();
            asked.forEach((key, input) -> {
                Throwable failure = failed.get(input);
                boolean isAnswered = failure != null || returned.containsKey(input);
                if (failure instanceof ChangedArgumentException || ofOneInstance.contains(key)) {
                    values.put(key, new OfOneInstance(isAnswered ? returned.get(input) : MISSING, failure));
                } else if (failure != null) {
                    failures.put(key, failure);
                } else if (isAnswered) {
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
            Object value = returned.get(key);
            OfOneInstance own =
                    value instanceof OfOneInstance ofOne ? ofOne : new OfOneInstance(value, failed.get(key));
            if (own.failure() != null) {
                failures.put(input, own.failure());
            } else if (own.answer() != MISSING && returned.containsKey(key)) {
                answers.put(input, own.answer());
            }
        }));
        return KeyedResult.of(answers, failures);
    }
}
