package io.github.collapseexecutor.spring.annotation;

import io.github.collapseexecutor.core.JoinMode;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets identical calls of a method that are made at the same time share one execution.
 *
 * <pre>{@code
 * @Collapsible
 * public Price price(String product) { ... }
 * }</pre>
 *
 * <p>Calls are identical if they are made on the same object, by the same user, with arguments that are equal by {@code equals}. A
 * call joins an execution only before that starts, unless {@link #join} says otherwise: no caller gets an answer computed before it
 * asked.
 *
 * <p><b>All callers of an execution get the same object, or the same exception.</b> Return immutable objects, or do not change
 * them.
 *
 * <p>The method returns its answer, a {@link java.util.concurrent.CompletableFuture}, a {@link
 * java.util.concurrent.CompletionStage} or a Reactor {@code Mono} of it. A call inside a transaction is not collapsed ({@link
 * CallInTransaction}). Only calls through the Spring bean are collapsed: {@code this.price(...)} is not.
 *
 * <p>Other instances of the application share such calls if {@link MethodSharing} says so; with Spring Boot, {@code cluster: true} of the
 * executor does.
 *
 * <p><b>Threads.</b> A method with a plain result runs on the thread of one of its callers. The others wait; a caller that is
 * interrupted there leaves at once, with an {@link InterruptedException} if the method declares it, else with a {@link
 * CollapsedCallException}.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Collapsible {

    /**
     * Names the executor, for meters and listeners.
     *
     * @return a name; if empty, the name of the bean, a dot and the name of the method, with its parameter types if it is overloaded
     */
    String name() default "";

    /**
     * Says what calls must have in common to share, in place of all arguments: an expression of Spring's expression language, for
     * example {@code "#order.id"}. Arguments are {@code #name}, or {@code #p0}, {@code #p1} in their order. A call for which it is null
     * is not collapsed.
     *
     * @return the expression; if empty, all arguments count
     */
    String key() default "";

    /**
     * Says which executions a call may join.
     *
     * @return at most one mode; if empty, the mode of {@link CollapsingSettings#options()}, which is {@link JoinMode#FRESH} unless set
     */
    JoinMode[] join() default {};

    /**
     * Says how long a caller waits for another caller's execution. One that runs on the caller's own thread is not cut short.
     *
     * @return a duration as {@code 500ms}, {@code 2s} or {@code PT2S}, or a placeholder of one; if empty, that of {@link
     *     CollapsingSettings#options()}
     */
    String timeout() default "";

    /**
     * Says whether calls of different users of Spring Security share. With true, one user may get the answer to another. The tenant, or
     * whatever else {@link CallerIdentity} beans say, tells calls apart nevertheless. For a {@code Mono}, true also leaves out all entries of
     * the Reactor context; for a function of Kotlin that suspends, the context of its coroutine, too.
     *
     * @return false, unless the answer is the same for everybody of whom the beans say the same
     */
    boolean acrossUsers() default false;
}
