package io.github.collapseexecutor.spring.annotation;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Says what an object is called in the keys of calls that are shared with other instances. Every bean of this type is asked, in their order, for
 * the arguments and users of {@linkplain MethodSharing shared} methods; the first whose type an object has is asked about it.
 *
 * <pre>{@code
 * @Bean
 * KeyForm<Customer> customerForm() {
 *     return KeyForm.of(Customer.class, customer -> customer.tenant() + "/" + customer.number());
 * }
 * }</pre>
 *
 * <p><b>The text must say everything about the object by which answers may differ:</b> it is all that instances know of one another's
 * objects. A form of an {@code Authentication} that says the name only lets users of one name get one another's answers, whatever their
 * tenants and rights are. In Redis, the text stands as a part of a keyed hash.
 *
 * @param <T> the objects that it knows
 */
public interface KeyForm<T> {

    /**
     * Returns which objects it knows.
     *
     * @return a class or interface; its subclasses are known, too
     */
    Class<T> type();

    /**
     * Returns the text of an object.
     *
     * @param value the object
     * @return the same on all instances, and another one for each object with other answers; null if calls with this object are not to be
     *     shared with other instances
     */
    @Nullable String of(T value);

    /**
     * Returns a form of a function.
     *
     * @param type as {@link #type()}
     * @param form as {@link #of(Object)}
     * @param <T> the objects that it knows
     * @return the form
     */
    static <T> KeyForm<T> of(Class<T> type, Function<? super T, @Nullable String> form) {
        requireNonNull(type, "type");
        requireNonNull(form, "form");
        return new KeyForm<>() {
            @Override
            public Class<T> type() {
                return type;
            }

            @Override
            public @Nullable String of(T value) {
                return form.apply(value);
            }
        };
    }
}
