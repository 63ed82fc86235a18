package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * The clients of one section of the properties: of which types they are, and how each is made to collapse.
 *
 * @param <C> makes clients of the family collapse
 * @param <CLIENT> a client that cannot be changed, and is replaced
 * @param <BUILDER> builds such clients
 * @param section the clients that the section names
 * @param otherSection the property of the section of the other family
 * @param builder builds such clients
 * @param changeable the type of older clients, which are changed; null if there are none
 * @param collapsing returns a client or a builder of collapsing clients in the place of another one; of a changeable one, itself
 * @param changeBuilder changes a builder itself
 * @param build what a copy of a builder builds
 * @param collapses whether a client collapses
 */
record ClientFamily<C, CLIENT, BUILDER>(
        Function<CollapseExecutorProperties, SectionClients> section,
        String otherSection,
        Class<CLIENT> client,
        Class<BUILDER> builder,
        @Nullable Class<?> changeable,
        BiFunction<C, Object, Object> collapsing,
        BiConsumer<C, BUILDER> changeBuilder,
        Function<BUILDER, CLIENT> build,
        Predicate<CLIENT> collapses) {

    /** Whether a bean is a client of the family, or a builder of some. */
    boolean has(Object bean) {
        return types().stream().anyMatch(type -> type.isInstance(bean));
    }

    /** Whether a bean is a client that is changed in place. */
    boolean isChangeable(Object bean) {
        return changeable != null && changeable.isInstance(bean);
    }

    /** Whether a builder would build a client that collapses. */
    boolean buildsCollapsing(BUILDER present) {
        return collapses.test(build.apply(present));
    }

    /** Whether a bean is a client that should have been replaced. */
    boolean isUnchanged(Object bean) {
        return client.isInstance(bean) && !collapses.test(client.cast(bean));
    }

    /** The types as a message names them. */
    String typeNames() {
        List<String> names = types().stream().map(ClassUtils::getShortName).toList();
        int last = names.size() - 1;
        return String.join(", ", names.subList(0, last)) + " or " + names.get(last);
    }

    /** The types that the beans may have. */
    List<Class<?>> types() {
        return changeable == null ? List.of(client, builder) : List.of(changeable, client, builder);
    }
}
