package io.github.collapseexecutor.spring.annotation;

import java.util.Collection;
import java.util.List;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.target.EmptyTargetSource;

/**
 * Where collapsing stands among the advisors of a proxy. Every caller passes security, caches and everything unknown before it
 * may share; retries, transactions and {@code @Async} are part of the execution that is shared.
 */
final class AdvisorPosition {

    private static final String TRANSACTION = "org.springframework.transaction.";

    /** What is part of an execution. An aspect of the application's own is not: it may decide who may call. */
    private static final List<String> SHARED = List.of(
            TRANSACTION,
            "org.springframework.dao.support.",
            "org.springframework.retry.",
            "org.springframework.resilience.",
            "org.springframework.data.",
            "org.springframework.web.service.",
            "org.springframework.messaging.rsocket.service.",
            "org.springframework.scheduling.annotation.",
            "org.springframework.aop.interceptor.");

    private AdvisorPosition() {}

    /** Adds collapsing to a proxy, and refuses a method that would be called inside a transaction always. */
    static void add(Advised proxy, CollapsingAdvisor collapsing, Collection<CollapsedMethod> methods) {
        Advisor[] advisors = proxy.getAdvisors();
        int position = advisors.length;
        while (position > 0 && isShared(advisors[position - 1])) {
            position--;
        }
        if (position == advisors.length && position > 0 && proxy.getTargetSource() == EmptyTargetSource.INSTANCE) {
            position--; // the last one makes the call
        }
        for (int i = 0; i < position; i++) {
            refuseTransaction(advisors[i], advisors[position - 1], methods);
        }
        proxy.addAdvisor(position, collapsing);
    }

    private static boolean isShared(Advisor advisor) {
        String advice = advisor.getAdvice().getClass().getName();
        return SHARED.stream().anyMatch(advice::startsWith);
    }

    private static void refuseTransaction(Advisor advisor, Advisor last, Collection<CollapsedMethod> methods) {
        if (!advisor.getAdvice().getClass().getName().startsWith(TRANSACTION)) {
            return;
        }
        for (CollapsedMethod method : methods) {
            AnnotatedMethod described = method.described();
            if (applies(advisor, described)) {
                throw described.refused(
                        "its transaction begins outside of "
                                + last.getAdvice().getClass().getName()
                                + ", which every caller has to pass, so that each call would already be inside a transaction",
                        "Give transactions a later order than that, for example @EnableTransactionManagement(order = Ordered.LOWEST_PRECEDENCE).");
            }
        }
    }

    private static boolean applies(Advisor advisor, AnnotatedMethod method) {
        if (!(advisor instanceof PointcutAdvisor pointcut)) {
            return true;
        }
        Pointcut where = pointcut.getPointcut();
        return where.getClassFilter().matches(method.owner())
                && where.getMethodMatcher().matches(method.method(), method.owner());
    }
}
