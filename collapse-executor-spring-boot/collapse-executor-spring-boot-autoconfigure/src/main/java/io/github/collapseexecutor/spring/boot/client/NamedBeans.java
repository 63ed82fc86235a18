package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.spring.boot.config.InvalidCollapsePropertyException;
import io.github.collapseexecutor.spring.boot.config.NearestName;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import io.github.collapseexecutor.spring.boot.config.TestSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/** The names that the {@code apply-bean-names} of a section list: each must be that of a bean of a type that can collapse. */
final class NamedBeans {

    /** What Spring registers in the context of a test that replaces beans, and what Boot 3.5 registers for its older annotations. */
    private static final List<String> REPLACING = List.of(
            "org.springframework.test.context.bean.override.internalBeanOverridePostProcessor",
            "org.springframework.boot.test.mock.mockito.MockitoPostProcessor");

    // immutable
    private final List<SectionClients.Named> names;
    private final String typeNames;
    private final List<Class<?>> types;
    private final ConfigurableListableBeanFactory beans;

    /**
     * Takes the names as they were written.
     *
     * @param typeNames the types as a message names them
     */
    NamedBeans(
            List<SectionClients.Named> names,
            String typeNames,
            List<Class<?>> types,
            ConfigurableListableBeanFactory beans) {
        this.names = names;
        this.typeNames = typeNames;
        this.types = types;
        this.beans = beans;
    }

    /** What is done with a bean that exists. */
    interface Singletons {
        void check(String property, String name, Object bean);
    }

    /**
     * Refuses a name that is that of no bean, or of one of another type, and hands on the singletons that exist. A test may have put a mock
     * in the place of any of them ({@code @MockitoBean}, {@code @TestBean}), which stays as it is: none is handed on then. Nor is the proxy of a
     * scope. Another proxy that leads to several clients is refused: they are beans of other names, or none.
     */
    void check(Singletons singletons) {
        boolean isReplaced = REPLACING.stream().anyMatch(beans::containsBean);
        for (SectionClients.Named named : names) {
            String name = named.name();
            String element = named.property();
            if (!beans.containsBean(name)) {
                if (TestSlice.isIn(beans.getBean(Environment.class))) {
                    continue; // the rest of the application has it
                }
                throw refusal(
                        element, name, "there is no bean of this name" + NearestName.question(name, candidates()));
            }
            if (!beans.containsLocalBean(name)) {
                continue; // the parent context has it, and checks it
            }
            Class<?> type = beans.getType(name);
            if (type != null && types.stream().noneMatch(allowed -> allowed.isAssignableFrom(type))) {
                throw refusal(element, name, "the bean of this name is a " + type.getName());
            }
            String canonicalName = ClientBeans.canonicalName(beans, name);
            if (beans.containsSingleton(canonicalName) && !isReplaced) {
                check(singletons, element, canonicalName, beans.getBean(canonicalName));
            }
        }
    }

    private void check(Singletons singletons, String element, String name, Object bean) {
        if (!ClientBeans.isProxyOfSeveral(bean)) {
            singletons.check(element, name, bean);
        } else if (!(bean instanceof ScopedObject)) {
            throw refusal(
                    element,
                    name,
                    "the bean of this name is a proxy that leads to one client now and to another later");
        }
    }

    /** For a bean to which nothing can be added any more. */
    InvalidCollapsePropertyException createdTooEarly(String element, String name) {
        return refusal(
                element,
                name,
                "the bean of this name was created, by a bean post-processor that needs it, "
                        + "before collapsing could be added to it");
    }

    private InvalidCollapsePropertyException refusal(String element, String name, String reason) {
        List<String> candidates = candidates();
        return new InvalidCollapsePropertyException(
                element,
                name,
                reason,
                "Name a bean of type " + typeNames + "; this application has "
                        + (candidates.isEmpty() ? "none." : String.join(", ", candidates) + "."));
    }

    private List<String> candidates() {
        List<String> candidates = new ArrayList<>();
        for (Class<?> type : types) {
            Stream.of(beans.getBeanNamesForType(type, true, false))
                    .filter(name -> !ScopedProxyUtils.isScopedTarget(name))
                    .forEach(candidates::add);
        }
        return candidates;
    }
}
