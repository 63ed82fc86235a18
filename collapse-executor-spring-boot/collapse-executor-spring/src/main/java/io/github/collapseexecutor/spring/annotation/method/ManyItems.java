package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * How a method with {@link CollapseBatch} that takes many items itself returns their answers.
 *
 * @param isMap whether it returns a map from item to answer; else a list of answers
 * @param answer the type of an item's answer
 * @param hasAll whether the list has an answer for each item, null for one without; else those without are left out
 */
record ManyItems(boolean isMap, ResolvableType answer, boolean hasAll) {

    /** Reads how a method returns its answers, and refuses what cannot be made of answers of items. */
    static ManyItems of(AnnotatedMethod method, AnswerType returned, CollapseBatch annotation) {
        if (returned.kind() == AnswerType.Kind.MONO) {
            throw method.refused(
                    "it takes many items and returns them by a Mono",
                    "Return them at once or by a CompletableFuture, or annotate a method for one item.");
        }
        ResolvableType type = returned.value();
        Class<?> raw = type.resolve(Object.class);
        if (raw.isAssignableFrom(LinkedHashMap.class) && Map.class.isAssignableFrom(raw)) {
            return new ManyItems(true, type.as(Map.class).getGeneric(1), false);
        }
        if (raw.isAssignableFrom(ArrayList.class) && Iterable.class.isAssignableFrom(raw)) {
            return new ManyItems(false, type.as(Iterable.class).getGeneric(0), annotation.inOrder());
        }
        throw method.refused(
                "it takes many items, and what it returns, " + type + ", holds no answers of single ones",
                "Return a Map from item to answer, or a List or Collection of answers.");
    }

    /** The items of an argument, in their order, each once if only one answer is returned; empty if there are none, or null is among them. */
    List<Object> items(Object argument) {
        Collection<Object> items = hasAll ? new ArrayList<>() : new LinkedHashSet<>();
        for (Object item : (Iterable<?>) argument) {
            if (item == null) {
                return List.of();
            }
            items.add(item);
        }
        return List.copyOf(items);
    }

    /**
     * Makes what the method returns, for one caller alone.
     *
     * @param items from {@link #items}
     * @param answers of each item, null without one
     */
    Object of(List<Object> items, List<? extends @Nullable Object> answers) {
        if (hasAll) {
            return new ArrayList<>(answers);
        }
        Map<Object, Object> byItem = new LinkedHashMap<>();
        for (int i = 0; i < items.size(); i++) {
            Object answer = answers.get(i);
            if (answer != null) {
                byItem.put(items.get(i), answer);
            }
        }
        return isMap ? byItem : new ArrayList<>(byItem.values());
    }
}
