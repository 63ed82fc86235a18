package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import java.util.ArrayList;
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
 * @param replace returns a client in the place of another one
 * @param replaceBuilder returns a builder of collapsing clients in the place of another one
 * @param changeBuilder changes a builder itself
 * @param build what a copy of a builder builds
 * @param collapses whether a client collapses
 * @param older clients that can be changed; null if there are none
 */
record ClientFamily<C, CLIENT, BUILDER>(
        Function<CollapseExecutorProperties, SectionClients> section,
        String otherSection,
        Class<CLIENT> client,
        BiFunction<C, CLIENT, CLIENT> replace,
        Class<BUILDER> builder,
        BiFunction<C, BUILDER, BUILDER> replaceBuilder,
        BiConsumer<C, BUILDER> changeBuilder,
        Function<BUILDER, CLIENT> build,
        Predicate<CLIENT> collapses,
        @Nullable Changeable<C, ?> older) {

    /** Clients that can be changed. */
    record Changeable<C, T>(Class<T> type, BiConsumer<C, T> change) {

        private @Nullable Function<C, Object> changeOf(Object bean) {
            return !type.isInstance(bean)
                    ? null
                    : collapsing -> {
                        change.accept(collapsing, type.cast(bean));
                        return bean;
                    };
        }
    }

    /** How a client that cannot be changed is replaced; null if the bean is none. */
    @Nullable Function<C, Object> replacementOf(Object bean) {
        return client.isInstance(bean) ? collapsing -> replace.apply(collapsing, client.cast(bean)) : null;
    }

    /** How a client is changed in place; null if the bean is none. */
    @Nullable Function<C, Object> changeOf(Object bean) {
        return older == null ? null : older.changeOf(bean);
    }

    /** How a builder is replaced by one of collapsing clients; null if the bean is none. */
    @Nullable Function<C, Object> builderInPlaceOf(Object bean) {
        return builder.isInstance(bean) ? collapsing -> replaceBuilder.apply(collapsing, builder.cast(bean)) : null;
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
        List<Class<?>> types = new ArrayList<>(List.of(client, builder));
        if (older != null) {
            types.add(0, older.type());
        }
        return types;
    }
}
