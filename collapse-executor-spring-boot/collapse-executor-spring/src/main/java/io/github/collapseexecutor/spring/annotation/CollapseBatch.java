package io.github.collapseexecutor.spring.annotation;

import io.github.collapseexecutor.core.MissingKeyPolicy;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Answers calls of a method for single items, that are made at the same time, with one call of a method for many.
 *
 * <pre>{@code
 * interface UserRepository extends ListCrudRepository<User, Long> {
 *
 *     @Override
 *     @CollapseBatch(method = "findAllById", itemKey = "id")
 *     Optional<User> findById(Long id);
 * }
 * }</pre>
 *
 * <p>The batch method has the same parameters, but for one that is a {@code Collection}, {@code List}, {@code Set} or {@code Iterable}
 * of what the single method takes there: the items. Only calls whose other arguments are equal, made on the same object by the same
 * user, share a batch. It returns one of:
 *
 * <ul>
 *   <li>a {@code Map} from item to answer;
 *   <li>a {@code List} of the answers in the order of the items, and of the same size: say so by {@link #inOrder};
 *   <li>a {@code Collection}, {@code Iterable} or {@code Flux} of answers that know their item: {@link #itemKey}.
 * </ul>
 *
 * <p>The single method returns its answer, an {@link java.util.Optional} of it, or, if the batch method returns one as well, a {@link
 * java.util.concurrent.CompletableFuture}, {@link java.util.concurrent.CompletionStage} or {@code Mono} of it. Its body runs for
 * calls that are not collapsed: those inside a transaction ({@link CallInTransaction}), and those with null for the item.
 *
 * <p>A method that takes many items itself, a page for example, may have the annotation, too: the items of such calls go into batches together, and
 * each caller gets the answers of its own. It has the parameters of the batch method, and returns a {@code Map} from item to answer, or a {@code List},
 * {@code Collection} or {@code Iterable} of answers in the order of the items, at once or by a future. Items without an answer are left out; with {@link
 * #inOrder}, the list has null in their places. If one item fails, the call does. The method's body runs for no items, and if null is among them.
 *
 * <p><b>Callers of equal items get the same object, and all callers of a failed batch the same exception.</b> Do not change them.
 *
 * <p>Other instances of the application share the items of a batch if {@link MethodSharing} says so; with Spring Boot, {@code cluster: true} of the
 * executor does.
 *
 * <p><b>Threads.</b> As at {@link Collapsible}. The batch method is called through the bean, so that its own annotations apply.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface CollapseBatch {

    /**
     * Names the method for many items, of the same bean.
     *
     * @return the name of the method
     */
    String method();

    /**
     * Finds an answer's item: an expression of Spring's expression language on the answer, for example {@code "id"} or {@code
     * "customer.number"}.
     *
     * @return the expression; empty for a map, and for a list in order
     */
    String itemKey() default "";

    /**
     * Says that the list that the batch method returns has the answers in the order of the items, one for each.
     *
     * @return false, unless that is so: the {@code findAllById} of most repositories promises no order
     */
    boolean inOrder() default false;

    /**
     * Says what a caller gets whose item has no answer.
     *
     * @return null, an empty Optional or an empty Mono by default; or an exception
     */
    MissingKeyPolicy missing() default MissingKeyPolicy.NULL;

    /**
     * Bounds the items of one call of the batch method.
     *
     * @return a number of items, at least 1; 0 for that of {@link CollapsingSettings#options()}
     */
    int maxBatchSize() default 0;

    /**
     * Names the executor, for meters and listeners.
     *
     * @return a name; if empty, the name of the bean, a dot and the name of the method, with its parameter types if it is overloaded
     */
    String name() default "";

    /**
     * Says how long a caller waits for another caller's execution. One that runs on the caller's own thread is not cut short.
     *
     * @return a duration as {@code 500ms}, {@code 2s} or {@code PT2S}, or a placeholder of one; if empty, that of {@link
     *     CollapsingSettings#options()}
     */
    String timeout() default "";

    /**
     * Says whether items of different users of Spring Security share a batch. With true, the batch method runs as one of the users. It leaves
     * out what {@link Collapsible#acrossUsers} does.
     *
     * @return false, unless the answers are the same for everybody of whom the {@link CallerIdentity} beans say the same
     */
    boolean acrossUsers() default false;
}
