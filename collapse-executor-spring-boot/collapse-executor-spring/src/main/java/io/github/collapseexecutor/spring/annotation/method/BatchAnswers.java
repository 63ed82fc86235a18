package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.core.KeyedResult;
import io.github.collapseexecutor.core.UnboundOutputException;
import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.spel.standard.SpelExpression;

/** Finds each item's answer in what a batch method returned. */
record BatchAnswers(
        AnnotatedMethod method, Form form, @Nullable SpelExpression itemKey) {

    private enum Form {
        MAP,
        IN_ORDER,
        BY_KEY
    }

    private static final String FORMS =
            "Return a Map, say inOrder = true for a List in the order of the items, or name the answer's item by itemKey, for example \"id\".";

    /**
     * Reads how answers are found, and refuses a batch method whose answers do not fit.
     *
     * @param returned what the batch method returns, out of its future or Mono
     * @param item the type of an item
     * @param answer what the single method answers, out of its future, Mono or Optional
     */
    static BatchAnswers of(
            AnnotatedMethod method,
            CollapseBatch annotation,
            ResolvableType returned,
            ResolvableType item,
            ResolvableType answer) {
        Class<?> type = returned.resolve(Object.class);
        boolean byKey = !annotation.itemKey().isEmpty();
        if (byKey && annotation.inOrder()) {
            throw method.refused("it has both itemKey and inOrder", "Remove one of them.");
        }
        if (Map.class.isAssignableFrom(type)) {
            if (byKey || annotation.inOrder()) {
                throw method.refused(
                        "the batch method returns a Map, whose keys are the items",
                        "Remove " + (byKey ? "itemKey." : "inOrder."));
            }
            ResolvableType map = returned.as(Map.class);
            fits(method, "key", map.getGeneric(0), item);
            fits(method, "value", answer, map.getGeneric(1));
            return new BatchAnswers(method, Form.MAP, null);
        }
        if (!Iterable.class.isAssignableFrom(type)) {
            throw method.refused("the batch method returns " + returned + ", which holds no answers", FORMS);
        }
        fits(method, "element", answer, returned.as(Iterable.class).getGeneric(0));
        if (byKey) {
            return new BatchAnswers(method, Form.BY_KEY, KeyExpression.parsed(method, "itemKey", annotation.itemKey()));
        }
        if (!annotation.inOrder()) {
            throw method.refused(
                    "nothing says which answer of the batch method's " + type.getSimpleName()
                            + " belongs to which item",
                    FORMS);
        }
        if (!List.class.isAssignableFrom(type)) {
            throw method.refused("a " + type.getSimpleName() + " has no order that can be relied on", FORMS);
        }
        return new BatchAnswers(method, Form.IN_ORDER, null);
    }

    private static void fits(AnnotatedMethod method, String what, ResolvableType to, ResolvableType from) {
        if (to.resolve() != null && from.resolve() != null && !BatchShape.isAssignable(to, from)) {
            throw method.refused(
                    "a " + what + " of what the batch method returns does not fit: " + from + " is no " + to,
                    "Name a batch method with the same types.");
        }
    }

    /** Returns the answers by item. Items without one are left out. */
    Map<Object, @Nullable Object> of(List<Object> items, @Nullable Object returned) {
        if (returned == null) {
            throw new UnboundOutputException(method + ": the batch method returned null; return an empty Map or List");
        }
        return switch (form) {
            case MAP -> present(items, (Map<?, ?>) returned);
            case IN_ORDER -> inOrder(items, (List<?>) returned);
            case BY_KEY -> byKey(items, (Iterable<?>) returned);
        };
    }

    /** What failed for single items. */
    static Map<?, Throwable> failures(@Nullable Object returned) {
        return returned instanceof KeyedResult<?, ?> result ? result.failures() : Map.of();
    }

    private static Map<Object, @Nullable Object> present(List<Object> items, Map<?, ?> returned) {
        Map<Object, @Nullable Object> answers = new HashMap<>();
        for (Object item : items) {
            Object answer = returned.get(item);
            if (answer != null || returned.containsKey(item)) {
                answers.put(item, answer);
            }
        }
        return answers;
    }

    private Map<Object, @Nullable Object> inOrder(List<Object> items, List<?> returned) {
        if (returned.size() != items.size()) {
            throw new UnboundOutputException(method + ": the batch method returned " + returned.size() + " answers for "
                    + items.size() + " items; with inOrder it must return one for each, or use itemKey");
        }
        Map<Object, @Nullable Object> answers = new HashMap<>();
        for (int i = 0; i < items.size(); i++) {
            answers.put(items.get(i), returned.get(i));
        }
        return answers;
    }

    private Map<Object, @Nullable Object> byKey(List<Object> items, Iterable<?> returned) {
        Set<Object> asked = new HashSet<>(items);
        Map<Object, @Nullable Object> answers = new HashMap<>();
        for (Object answer : returned) {
            if (answer == null) {
                continue;
            }
            Object key = itemOf(answer);
            if (!asked.contains(key)) {
                refuseOtherType(items.get(0), key);
            } else {
                Object other = answers.put(key, answer);
                if (other != null && other != answer) {
                    throw new IllegalStateException(
                            method + ": the batch method returned two answers for the item " + key);
                }
            }
        }
        return answers;
    }

    private @Nullable Object itemOf(Object answer) {
        if (itemKey == null) {
            throw new IllegalStateException("answers by key have a key");
        }
        try {
            return itemKey.getValue(answer);
        } catch (EvaluationException e) {
            throw new IllegalStateException(
                    method + ": itemKey = \"" + itemKey.getExpressionString()
                            + "\" cannot be read of an answer of the batch method: " + e.getMessage(),
                    e);
        }
    }

    /** An Integer never equals a Long: every caller would get nothing. */
    private void refuseOtherType(Object item, @Nullable Object key) {
        if (key == null || key.getClass() != item.getClass()) {
            throw new IllegalStateException(method + ": the itemKey of an answer is " + key
                    + (key == null ? "" : " of " + key.getClass()) + ", but items are of " + item.getClass());
        }
    }
}
