package io.github.collapseexecutor.spring.annotation.method;

import java.util.List;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.target.EmptyTargetSource;
import org.springframework.core.Ordered;

/**
 * Where collapsing stands among the advisors of a method. Every caller passes security and everything unknown before it may share;
 * caches behind those answer before it. Retries, transactions and {@code @Async} are part of the execution that is shared.
 */
final class AdvisorPosition {

    private static final String TRANSACTION = "org.springframework.transaction.";
    private static final String VALIDATION = "org.springframework.validation.beanvalidation.";
    private static final String OTHER_BEAN = " Or begin the transaction in another bean, which the method calls.";
    private static final String FILTER =
            "org.springframework.security.authorization.method.PostFilterAuthorizationMethodInterceptor";
    private static final String CACHE = "org.springframework.cache.";

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
                refuseTransaction(advisors, position, i, method.described());
                position = i + 1;
            }
        }
        while (position < end && isOf(advisors[position], CACHE)) {
            position++;
        }
        proxy.addAdvisor(position, new CollapsingAdvisor(method));
    }

    private static boolean isShared(Advisor advisor) {
        return advisor instanceof CollapsingAdvisor || SHARED.stream().anyMatch(name -> isOf(advisor, name));
    }

    private static boolean isOf(Advisor advisor, String name) {
        return advisor.getAdvice().getClass().getName().startsWith(name);
    }

    private static boolean applies(Advisor advisor, AnnotatedMethod method) {
        if (!(advisor instanceof PointcutAdvisor pointcut)) {
            return true;
        }
        Pointcut where = pointcut.getPointcut();
        return where.getClassFilter().matches(method.owner())
                && where.getMethodMatcher().matches(method.method(), method.owner());
    }

    private static void refuseFilter(Advisor advisor, AnnotatedMethod method) {
        if (isOf(advisor, FILTER)) {
            throw method.refused(
                    "@PostFilter removes elements from the answer, which is the same object for several callers",
                    "Collapse a method without @PostFilter, and filter in another bean that calls it and copies the answer.");
        }
    }

    private static void refuseTransaction(Advisor[] advisors, int from, int to, AnnotatedMethod method) {
        for (int i = from; i < to; i++) {
            if (isOf(advisors[i], TRANSACTION) && applies(advisors[i], method)) {
                throw method.refused(
                        "its transaction begins outside of "
                                + advisors[to].getAdvice().getClass().getName()
                                + ", which every caller has to pass, so that each call would already be inside a transaction",
                        remedy(advisors[to], advisors[i]));
            }
        }
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
}
