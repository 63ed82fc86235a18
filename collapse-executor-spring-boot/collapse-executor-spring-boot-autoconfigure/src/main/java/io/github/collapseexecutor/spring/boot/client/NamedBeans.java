package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.spring.boot.config.ClientKind;
import io.github.collapseexecutor.spring.boot.config.InvalidCollapsePropertyException;
import io.github.collapseexecutor.spring.boot.config.NearestName;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import io.github.collapseexecutor.spring.boot.config.TestSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * Stops the start if a name in the {@code apply-bean-names} of a section is that of no bean, or of one that cannot collapse. Once all beans
 * exist, it also puts the request factory of a RestTemplate below what was added or set in the meantime.
 *
 * @param <C> makes clients of the section collapse
 */
record NamedBeans<C>(ClientFamily<C, ?, ?> family, ClientAdapters<C> adapters) implements SmartInitializingSingleton {

    /** What Spring registers in the context of a test that replaces beans, and what Boot 3.5 registers for its older annotations. */
    private static final List<String> REPLACING = List.of(
            "org.springframework.test.context.bean.override.internalBeanOverridePostProcessor",
            "org.springframework.boot.test.mock.mockito.MockitoPostProcessor");

    /**
     * Refuses a name that is that of no bean, or of one of another type, and looks at the singletons that exist. A test may have put a mock
     * in the place of any of them ({@code @MockitoBean}, {@code @TestBean}), which stays as it is: none is looked at then. Nor is the proxy of a
     * scope. Another proxy that leads to several clients is refused: they are beans of other names, or none.
     */
    @Override
    public void afterSingletonsInstantiated() {
        ConfigurableListableBeanFactory beans = adapters.beans();
        boolean isReplaced = REPLACING.stream().anyMatch(beans::containsBean);
        for (SectionClients.Named named : adapters.clients().places(ClientKind.BEAN)) {
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
            if (type != null && family.types().stream().noneMatch(allowed -> allowed.isAssignableFrom(type))) {
                throw refusal(element, name, "the bean of this name is a " + type.getName());
            }
            String canonicalName = ClientBeans.canonicalName(beans, name);
            if (beans.containsSingleton(canonicalName) && !isReplaced) {
                checkSingleton(element, canonicalName, beans.getBean(canonicalName));
            }
        }
    }

    private void checkSingleton(String element, String name, Object bean) {
        if (ClientBeans.isProxyOfSeveral(bean)) {
            if (!(bean instanceof ScopedObject)) {
                throw refusal(
                        element,
                        name,
                        "the bean of this name is a proxy that leads to one client now and to another later");
            }
            return;
        }
        if (family.isChangeable(bean)) {
            Object unused = family.collapsing().apply(adapters.ofBean(name), bean);
        } else if (family.isUnchanged(bean)) {
            throw refusal(
                    element,
                    name,
                    "the bean of this name was created, by a bean post-processor that needs it, "
                            + "before collapsing could be added to it");
        }
    }

    private InvalidCollapsePropertyException refusal(String element, String name, String reason) {
        List<String> candidates = candidates();
        return new InvalidCollapsePropertyException(
                element,
                name,
                reason,
                "Name a bean of type " + family.typeNames() + "; this application has "
                        + (candidates.isEmpty() ? "none." : String.join(", ", candidates) + "."));
    }

    private List<String> candidates() {
        List<String> candidates = new ArrayList<>();
        for (Class<?> type : family.types()) {
            Stream.of(adapters.beans().getBeanNamesForType(type, true, false))
                    .filter(name -> !ScopedProxyUtils.isScopedTarget(name))
                    .forEach(candidates::add);
        }
        return candidates;
    }
}
