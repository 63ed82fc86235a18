package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.spring.annotation.InvalidCollapsingException;
import java.util.List;
import java.util.stream.Stream;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.aspectj.AbstractAspectJAdvice;
import org.springframework.aop.aspectj.AspectJPrecedenceInformation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.target.EmptyTargetSource;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.interceptor.TransactionAttributeSource;

/**
 * Where collapsing stands among the advisors of a method. Every caller passes security and everything unknown before it may share;
 * caches behind those answer before it. Retries, transactions and {@code @Async} are part of the execution that is shared.
 */
final class AdvisorPosition {

    private static final String TRANSACTION = "org.springframework.transaction.";
    private static final String VALIDATION = "org.springframework.validation.beanvalidation.";
    private static final String OTHER_BEAN = " Or begin the transaction in another bean, which the method calls.";
    private static final String SECURITY = "org.springframework.security.";
    private static final String FILTER = "org.springframework.security.access.prepost.PostFilter";
    private static final String RETRYABLE = "org.springframework.retry.annotation.";
    private static final String CACHE = "org.springframework.cache.";
    /** Timers, counters and spans keep no caller out: if a transaction begins outside of them, they are part of the execution. */
    private static final String OBSERVATION = "io.micrometer.";

    /** What is part of an execution. An aspect of the application's own is not: it may decide who may call. */
    private static final List<String> SHARED = List.of(
            TRANSACTION,
            CACHE,
            "org.springframework.dao.support.",
            "org.springframework.retry.",
            "org.springframework.resilience.",
            "org.springframework.data.",
            "org.springframework.web.service.",
            "org.springframework.messaging.rsocket.service.",
            "org.springframework.scheduling.annotation.",
            "org.springframework.aop.interceptor.");

    private AdvisorPosition() {}

    /** Adds the collapsing of a method to a proxy, and refuses it if every call would already be inside a transaction. */
    static void add(Advised proxy, CollapsedMethod method) {
        Advisor[] advisors = proxy.getAdvisors();
        int end = advisors.length;
        if (end > 0 && proxy.getTargetSource() == EmptyTargetSource.INSTANCE) {
            end--; // the last one makes the call
        }
        int position = 0;
        for (int i = 0; i < end; i++) {
            if (!isShared(advisors[i]) && applies(advisors[i], method.described())) {
                refuseFilter(advisors[i], method.described());
                Advisor transaction = transaction(advisors, position, i, method.described());
                if (transaction == null) {
                    position = i + 1;
                } else if (!isOf(advisors[i], OBSERVATION)) {
                    throw refused(method.described(), advisors[i], transaction);
                }
            }
        }
        while (position < end && isOf(advisors[position], CACHE)) {
            position++;
        }
        proxy.addAdvisor(position, new CollapsingAdvisor(method));
    }

    /** Warns of the advice behind collapsing that is for a method, but not for its batch method. */
    static void warnOfLostAdvice(Advised proxy, CollapsedMethod method) {
        AnnotatedMethod batchMethod = method.batchMethod();
        if (batchMethod != null) {
            LostAdvice.warnOf(
                    method.described(),
                    batchMethod,
                    Stream.of(proxy.getAdvisors())
                            .dropWhile(advisor -> !isOf(advisor, method))
                            .filter(advisor -> !(advisor instanceof CollapsingAdvisor)
                                    && applies(advisor, method.described())
                                    && !applies(advisor, batchMethod))
                            .map(AdvisorPosition::nameOf)
                            .toList());
        }
    }

    private static boolean isOf(Advisor advisor, CollapsedMethod method) {
        return advisor instanceof CollapsingAdvisor collapsing && collapsing.isOf(method);
    }

    private static boolean isShared(Advisor advisor) {
        return advisor instanceof CollapsingAdvisor || SHARED.stream().anyMatch(name -> isOf(advisor, name));
    }

    private static boolean isOf(Advisor advisor, String name) {
        return nameOf(advisor).startsWith(name);
    }

    /** The class of the advice; if an aspect has it, that of the aspect. */
    private static String nameOf(Advisor advisor) {
        Advice advice = advisor.getAdvice();
        return (advice instanceof AspectJPrecedenceInformation ? OfAspects.aspect(advice) : advice.getClass())
                .getName();
    }

    private static boolean applies(Advisor advisor, AnnotatedMethod method) {
        if (!(advisor instanceof PointcutAdvisor pointcut)) {
            return true;
        }
        Pointcut where = pointcut.getPointcut();
        return where.getClassFilter().matches(method.owner())
                && where.getMethodMatcher().matches(method.method(), method.owner())
                && (!isOf(advisor, TRANSACTION) || Transactions.mayBegin(advisor.getAdvice(), method))
                && (!isOf(advisor, RETRYABLE) || isAnnotated(method, RETRYABLE + "Retryable"));
    }

    /**
     * Whether a method, or its class, has the annotation of a library. The advisor of Spring Retry is for all methods of a class that has one with it,
     * and its advice looks for that at each call; and Spring Security hides the class of its advice.
     */
    private static boolean isAnnotated(AnnotatedMethod method, String annotation) {
        return Stream.of(AopUtils.getMostSpecificMethod(method.method(), method.owner()), method.owner())
                .anyMatch(element -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
                        .isPresent(annotation));
    }

    /** A Mono is filtered without a change to what it holds. */
    private static void refuseFilter(Advisor advisor, AnnotatedMethod method) {
        if (isOf(advisor, SECURITY)
                && isAnnotated(method, FILTER)
                && AnswerType.of(method).kind() != AnswerType.Kind.MONO) {
            throw method.refused(
                    "@PostFilter removes elements from the answer, which is the same object for several callers",
                    "Collapse a method without @PostFilter, and filter in another bean that calls it and copies the answer.");
        }
    }

    /** The first of some advisors that begins the transaction of a method; null if none does. */
    private static @Nullable Advisor transaction(Advisor[] advisors, int from, int to, AnnotatedMethod method) {
        return Stream.of(advisors)
                .limit(to)
                .skip(from)
                .filter(advisor -> isOf(advisor, TRANSACTION) && applies(advisor, method))
                .findFirst()
                .orElse(null);
    }

    private static InvalidCollapsingException refused(AnnotatedMethod method, Advisor passed, Advisor transaction) {
        return method.refused(
                "its transaction begins outside of " + nameOf(passed)
                        + ", which every caller has to pass, so that each call would already be inside a transaction",
                remedy(passed, transaction));
    }

    /** Spring adds the validation of methods behind all that there is, whatever its order; transactions have the last order by default. */
    private static String remedy(Advisor passed, Advisor transaction) {
        if (isOf(passed, VALIDATION)) {
            return "Have arguments validated before the transaction begins: define a static @Bean method that returns a"
                    + " MethodValidationPostProcessor with setBeforeExistingAdvisors(true)." + OTHER_BEAN;
        }
        boolean hasLastOrder =
                !(transaction instanceof Ordered ordered) || ordered.getOrder() == Ordered.LOWEST_PRECEDENCE;
        return "Give that an earlier order than transactions have, for example @Order(0) on the class of an aspect"
                + (hasLastOrder ? "." : ", or transactions a later one by @EnableTransactionManagement(order = ...).")
                + OTHER_BEAN;
    }

    /** Apart, so that the other class loads without AspectJ. */
    private static final class OfAspects {

        static Class<?> aspect(Advice advice) {
            return advice instanceof AbstractAspectJAdvice ofAspect
                    ? ofAspect.getAspectJAdviceMethod().getDeclaringClass()
                    : advice.getClass();
        }
    }

    /** Apart, so that the other class loads without spring-tx. */
    private static final class Transactions {

        /** The interceptor of a repository of Spring Data is for all methods, and finds out at each call whether one begins a transaction. */
        static boolean mayBegin(Advice advice, AnnotatedMethod method) {
            TransactionAttributeSource source = advice instanceof TransactionAspectSupport transactions
                    ? transactions.getTransactionAttributeSource()
                    : null;
            return source == null || source.getTransactionAttribute(method.method(), method.owner()) != null;
        }
    }
}
