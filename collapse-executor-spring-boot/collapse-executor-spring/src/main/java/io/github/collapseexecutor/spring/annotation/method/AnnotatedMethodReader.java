package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.annotation.caller.CallerIdentities;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** Finds the annotated methods of a bean, and refuses those that cannot be collapsed. */
public record AnnotatedMethodReader(
        AnnotatedExecutors executors,
        CallerIdentities identities,
        CallSharing sharing,
        UnaryOperator<String> placeholders) {

    private static final Set<Class<? extends Annotation>> ANNOTATIONS = Set.of(Collapsible.class, CollapseBatch.class);

    /** Where a bean's methods may be annotated: its class, and the interfaces of a proxy that has no class of its own. */
    static List<Class<?>> typesOf(Object bean) {
        Set<Class<?>> types = new LinkedHashSet<>();
        Class<?> target = ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
        if (!Proxy.isProxyClass(target)) {
            types.add(target);
        }
        if (Proxy.isProxyClass(bean.getClass())) {
            types.addAll(Arrays.asList(ClassUtils.getAllInterfaces(bean)));
        }
        return List.copyOf(types);
    }

    /** The annotated methods of a type, each with the annotations that it has or inherits. */
    static Map<Method, List<Annotation>> annotatedMethods(Class<?> type) {
        return MethodIntrospector.selectMethods(type, AnnotatedMethodReader::annotations);
    }

    private static @Nullable List<Annotation> annotations(Method method) {
        List<Annotation> found = new ArrayList<>();
        for (Class<? extends Annotation> type : ANNOTATIONS) {
            Annotation annotation = AnnotatedElementUtils.findMergedAnnotation(method, type);
            if (annotation != null) {
                found.add(annotation);
            }
        }
        return found.isEmpty() ? null : found;
    }

    /** Reads the methods of a bean. */
    Map<MethodSignature, CollapsedMethod> methodsOf(
            Object bean, String beanName, Map<Class<?>, Map<Method, List<Annotation>>> annotated) {
        Map<MethodSignature, CollapsedMethod> methods = new LinkedHashMap<>();
        Class<?> target = AopProxyUtils.ultimateTargetClass(bean);
        annotated.forEach((owner, ofOwner) -> ofOwner.forEach((method, annotations) -> {
            MethodSignature signature = MethodSignature.of(method, target);
            if (!methods.containsKey(signature)) {
                AnnotatedMethod described = new AnnotatedMethod(beanName, owner, method, annotations.get(0));
                if (annotations.size() > 1) {
                    throw described.refused(
                            "it has @Collapsible and @CollapseBatch",
                            "Remove one: with @CollapseBatch, identical calls share an answer, too.");
                }
                checkReachable(described, bean.getClass());
                methods.put(signature, read(described, bean));
                ChangeableEntities.warnOf(described);
            }
        }));
        return methods;
    }

    private CollapsedMethod read(AnnotatedMethod method, Object bean) {
        String whyNotOne = sharing.whyNotOne(bean, method.beanName());
        if (method.annotation() instanceof CollapseBatch batch) {
            Changes changes = Changes.of(method, batch.name(), batch.timeout(), placeholders);
            return new BatchedMethod(
                    method, batch, bean.getClass(), executors, identities, sharing, whyNotOne, changes);
        }
        Collapsible shared = (Collapsible) method.annotation();
        Changes changes = Changes.of(method, shared.name(), shared.timeout(), placeholders);
        return new SharedMethod(method, shared, executors, identities, sharing, whyNotOne, changes);
    }

    /** A method that no proxy can intercept would run for each caller, unnoticed. */
    private static void checkReachable(AnnotatedMethod method, Class<?> bean) {
        int modifiers = method.method().getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
            throw method.refused(
                    "it is " + (Modifier.isStatic(modifiers) ? "static" : "private")
                            + ": its calls do not pass through the bean",
                    "Make it a public method of the bean.");
        }
        if (Proxy.isProxyClass(bean)) {
            try {
                Method unused = MethodSignature.through(bean, method.method(), method.owner());
            } catch (IllegalStateException e) {
                throw method.refused(
                        "it is not on an interface of the bean's JDK proxy, so that nothing can call it through the bean",
                        "Declare it in the interface, or let Spring make class proxies (proxyTargetClass = true).",
                        e);
            }
        } else if (Modifier.isFinal(modifiers)) {
            throw method.refused(
                    "it is final, so that a class proxy cannot intercept it",
                    "Remove final; in Kotlin, add open or the kotlin-spring plugin.");
        }
    }
}
