package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The batch method of a method for single items: which it is, where the items go and how the answers come.
 *
 * @param method the batch method, as it is called through the proxy
 * @param item the index of the parameter that is the item, and the items
 * @param items the type of the batch method's parameter
 * @param ofMany whether the annotated method takes many items, too
 */
record BatchShape(Method method, int item, Class<?> items, boolean ofMany) {

    private static final Set<Class<?>> COLLECTIONS = Set.of(Collection.class, List.class, Set.class, Iterable.class);
    private static final String FITTING =
            "Name a method with the same parameters, but with a Collection, List, Set or Iterable of the items.";

    /**
     * Finds the batch method, and refuses the annotation if there is none that fits, or more than one.
     *
     * @param bean the class through which it is called
     */
    static BatchShape of(AnnotatedMethod single, CollapseBatch annotation, Class<?> bean) {
        String name = annotation.method();
        Map<List<Class<?>>, Method> named = new LinkedHashMap<>();
        for (Method candidate : methods(single.owner())) {
            if (candidate.getName().equals(name) && !candidate.isBridge() && !candidate.equals(single.method())) {
                named.putIfAbsent(List.of(candidate.getParameterTypes()), candidate);
            }
        }
        List<BatchShape> fitting = new ArrayList<>();
        List<String> unfit = new ArrayList<>();
        for (Method candidate : named.values()) {
            int one = item(single, candidate, false);
            int item = one < 0 ? item(single, candidate, true) : one;
            if (item < 0) {
                unfit.add(AnnotatedMethod.described(single.owner(), candidate));
            } else {
                fitting.add(new BatchShape(candidate, item, candidate.getParameterTypes()[item], one < 0));
            }
        }
        if (fitting.size() == 1) {
            return fitting.get(0).throughBean(single, bean);
        }
        if (fitting.size() > 1) {
            throw single.refused(
                    "method = \"" + name + "\" names " + fitting.size() + " methods that fit: "
                            + fitting.stream().map(BatchShape::method).toList(),
                    "Give one of them a name of its own.");
        }
        throw single.refused(
                unfit.isEmpty()
                        ? "method = \"" + name + "\": there is no other method of this name"
                        : "method = \"" + name + "\": its parameters do not fit: " + String.join(", ", unfit),
                ofKotlin(single, name).orElse(FITTING));
    }

    /** Kotlin gives a function another name in the class file if it is internal or has a parameter of a value class, which then is of another type. */
    private static Optional<String> ofKotlin(AnnotatedMethod single, String name) {
        if (single.method().getName().indexOf('-') > 0) {
            return Optional.of("In Kotlin, an item cannot be of a value class: give the function its value.");
        }
        return methods(single.owner()).stream()
                .map(Method::getName)
                .filter(other -> other.startsWith(name + "$") || other.startsWith(name + "-"))
                .filter(other -> KotlinDetector.isKotlinType(single.owner()))
                .findFirst()
                .map(other -> "Kotlin has named " + name + " " + other + " in the class file: make it public, and give"
                        + " it no parameter of a value class.");
    }

    private static List<Method> methods(Class<?> owner) {
        Set<Method> found = new LinkedHashSet<>(Arrays.asList(ReflectionUtils.getUniqueDeclaredMethods(owner)));
        found.addAll(Arrays.asList(owner.getMethods()));
        return List.copyOf(found);
    }

    /**
     * The index of the parameter that takes many items.
     *
     * @param ofMany whether the annotated method takes many there, too; else one
     * @return negative if the methods do not fit, or more than one parameter may be that of the items
     */
    private static int item(AnnotatedMethod single, Method batch, boolean ofMany) {
        List<ResolvableType> one = single.parameterTypes();
        List<ResolvableType> many = AnnotatedMethod.parameterTypes(batch, single.owner());
        if (one.size() != many.size()) {
            return -1;
        }
        int item = -1;
        for (int i = 0; i < one.size(); i++) {
            boolean takesItems = ofMany ? takeMany(one.get(i), many.get(i)) : takeOneAndMany(one.get(i), many.get(i));
            boolean fits = takesItems ? item < 0 : isAssignable(many.get(i), one.get(i));
            if (!fits) {
                return -1;
            }
            item = takesItems ? i : item;
        }
        return item;
    }

    private static boolean takeOneAndMany(ResolvableType one, ResolvableType many) {
        return COLLECTIONS.contains(many.resolve(Object.class))
                && isAssignable(many.getGeneric(0), one)
                && !one.resolve(Object.class).equals(many.resolve(Object.class));
    }

    private static boolean takeMany(ResolvableType one, ResolvableType many) {
        return COLLECTIONS.contains(many.resolve(Object.class))
                && COLLECTIONS.contains(one.resolve(Object.class))
                && isAssignable(many.getGeneric(0), one.getGeneric(0));
    }

    static boolean isAssignable(ResolvableType to, ResolvableType from) {
        return ClassUtils.isAssignable(to.resolve(Object.class), from.resolve(Object.class));
    }

    private BatchShape throughBean(AnnotatedMethod single, Class<?> bean) {
        if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
            throw single.refused(
                    "the batch method " + method.getName()
                            + " is private or static: it cannot be called through the bean",
                    "Make it a public method of the bean.");
        }
        try {
            return new BatchShape(MethodSignature.through(bean, method, single.owner()), item, items, ofMany);
        } catch (IllegalStateException e) {
            throw single.refused(
                    "the batch method " + method.getName() + " is not on an interface of the bean's JDK proxy",
                    "Declare it in the interface, or let Spring make class proxies (proxyTargetClass = true).",
                    e);
        }
    }

    /** Calls the batch method through a bean. */
    @Nullable Object call(Object bean, @Nullable Object[] arguments, List<Object> several) throws Exception {
        boolean moreThanNamed =
                arguments.length > method.getParameterCount(); // of a function that suspends, for one that does not
        @Nullable Object[] all = Arrays.copyOf(arguments, arguments.length - (moreThanNamed ? 1 : 0));
        all[item] = items == Set.class ? new LinkedHashSet<>(several) : several;
        return Invocations.invoke(bean, method, all);
    }
}
