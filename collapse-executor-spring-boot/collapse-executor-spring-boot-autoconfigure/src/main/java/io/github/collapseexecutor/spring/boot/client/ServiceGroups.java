package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.spring.boot.config.ClientKind;
import io.github.collapseexecutor.spring.boot.config.InvalidCollapsePropertyException;
import io.github.collapseexecutor.spring.boot.config.NearestName;
import io.github.collapseexecutor.spring.boot.config.ProxyBean;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import io.github.collapseexecutor.spring.boot.config.TestSlice;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.SpringVersion;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * The groups of HTTP services ({@code @ImportHttpServices}) that {@code apply-http-service-groups} of one section names. It changes the
 * builder of each group's client, and once all beans exist it refuses a name that had no effect. Each group is a client of its own (H35).
 *
 * @param <BUILDER> builds the clients of the section
 */
final class ServiceGroups<BUILDER> implements SmartInitializingSingleton {

    // immutable
    private final ClientFamily<?, ?, BUILDER> family;
    private final SectionClients clients;
    private final ConfigurableListableBeanFactory beans;
    /** Makes the client collapse that a builder of a group is to build. */
    private final BiConsumer<BUILDER, String> change;

    // mutable, thread-safe
    private final Map<String, BUILDER> changed = new ConcurrentHashMap<>();

    <C> ServiceGroups(ClientFamily<C, ?, BUILDER> family, ClientAdapters<C> adapters) {
        this.family = family;
        this.clients = adapters.clients();
        this.beans = adapters.beans();
        this.change = (builder, group) -> family.changeBuilder().accept(adapters.ofServiceGroup(group), builder);
    }

    /** Changes the builder of a group's client if the properties name the group. */
    void configure(String group, Object builder) {
        if (clients.has(ClientKind.HTTP_SERVICE_GROUP, Set.of(group))) {
            BUILDER own = family.builder().cast(builder);
            change.accept(own, group);
            changed.put(group, own);
        }
    }

    /** Whether the client of a group is made to collapse, and was not changed since. */
    boolean isCollapsing(String group) {
        BUILDER builder = changed.get(group);
        return builder != null && family.buildsCollapsing(builder);
    }

    /** Refuses a name that is that of no group, of one with other clients, or of one that does not collapse after all. */
    @Override
    public void afterSingletonsInstantiated() {
        for (SectionClients.Named named : clients.places(ClientKind.HTTP_SERVICE_GROUP)) {
            if (!ClassUtils.isPresent(ServiceGroupConfigurer.REGISTRY, beans.getBeanClassLoader())) {
                throw refusal(
                        named,
                        "groups of HTTP services (@ImportHttpServices) come with Spring Framework 7, and this is "
                                + SpringVersion.getVersion(),
                        "Use Spring Boot 4, or make the client of the interfaces a bean and name it in apply-bean-names.");
            }
            checkGroup(named);
        }
    }

    private void checkGroup(SectionClients.Named named) {
        Class<?> registry = ProxyBean.named(ServiceGroupConfigurer.REGISTRY);
        Set<String> all = groups(registry, BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, registry));
        if (!all.contains(named.name())) {
            if (TestSlice.isIn(beans.getBean(Environment.class))) {
                return; // the rest of the application has it
            }
            throw refusal(
                    named,
                    "there is no group of HTTP services of this name" + NearestName.question(named.name(), all),
                    "Name a group of @ImportHttpServices; this application has "
                            + (all.isEmpty() ? "none." : String.join(", ", all) + "."));
        }
        if (!groups(registry, beans.getBeansOfType(registry)).contains(named.name())) {
            return; // the parent context has it, and checks it
        }
        if (!changed.containsKey(named.name())) {
            throw refusal(
                    named,
                    "the interfaces of this group are not called by "
                            + family.client().getSimpleName(),
                    "Name the group in " + family.otherSection() + "." + ClientKind.HTTP_SERVICE_GROUP.key() + ".");
        }
        if (!isCollapsing(named.name())) {
            throw refusal(
                    named,
                    "a configurer of HTTP service groups has replaced what makes this group collapse, because it comes"
                            + " later",
                    "Give the application's configurer an order before the last, for example by @Order(0).");
        }
    }

    /** The names of the groups that Spring's registries know; a registry makes the clients if they are not there yet. */
    private static Set<String> groups(Class<?> registry, Map<String, ?> registries) {
        Method getGroupNames = ProxyBean.method(registry, "getGroupNames");
        return registries.values().stream()
                .flatMap(each -> ((Set<?>) ProxyBean.called(getGroupNames, each)).stream())
                .map(Object::toString)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static InvalidCollapsePropertyException refusal(SectionClients.Named named, String reason, String action) {
        return new InvalidCollapsePropertyException(named.property(), named.name(), reason, action);
    }
}
