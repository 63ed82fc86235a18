package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.spring.boot.config.ClientKind;
import io.github.collapseexecutor.spring.boot.config.InvalidCollapsePropertyException;
import io.github.collapseexecutor.spring.boot.config.NearestName;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import io.github.collapseexecutor.spring.boot.config.TestSlice;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.SpringVersion;
import org.springframework.core.env.Environment;

/**
 * The groups of HTTP services ({@code @ImportHttpServices}) that {@code apply-http-service-groups} of one section names. It changes the
 * builder of each group's client, and once all beans exist it refuses a name that had no effect. Each group is a client of its own (H35).
 *
 * @param <BUILDER> builds the clients of the section
 */
final class ServiceGroups<BUILDER> {

    /** What differs between the sections. */
    interface Kind<BUILDER> {

        /** Makes the client collapse that a builder is to build. */
        void change(BUILDER builder, String group);

        /** Whether a client collapses that the builder would build now. */
        boolean isChanged(BUILDER builder);

        /** The class of the clients as a message names it. */
        String client();

        /** The other section that has such groups. */
        String otherSection();
    }

    // immutable
    private final SectionClients clients;
    private final Class<BUILDER> type;
    private final Kind<BUILDER> kind;

    // mutable, thread-safe
    private final Map<String, BUILDER> changed = new ConcurrentHashMap<>();

    ServiceGroups(SectionClients clients, Class<BUILDER> type, Kind<BUILDER> kind) {
        this.clients = clients;
        this.type = type;
        this.kind = kind;
    }

    /** Changes the builder of a group's client if the properties name the group. */
    void configure(String group, Object builder) {
        if (clients.has(ClientKind.HTTP_SERVICE_GROUP, Set.of(group))) {
            BUILDER own = type.cast(builder);
            kind.change(own, group);
            changed.put(group, own);
        }
    }

    /** Whether the client of a group is made to collapse, and was not changed since. */
    boolean isCollapsing(String group) {
        BUILDER builder = changed.get(group);
        return builder != null && kind.isChanged(builder);
    }

    /** Refuses a name that is that of no group, of one with other clients, or of one that does not collapse after all. */
    void check(ConfigurableListableBeanFactory beans) {
        for (SectionClients.Named named : clients.places(ClientKind.HTTP_SERVICE_GROUP)) {
            if (!ServiceGroupRegistry.isThere(beans.getBeanClassLoader())) {
                throw refusal(
                        named,
                        "groups of HTTP services (@ImportHttpServices) come with Spring Framework 7, and this is "
                                + SpringVersion.getVersion(),
                        "Use Spring Boot 4, or make the client of the interfaces a bean and name it in apply-bean-names.");
            }
            checkGroup(named, beans);
        }
    }

    private void checkGroup(SectionClients.Named named, ConfigurableListableBeanFactory beans) {
        Set<String> all = ServiceGroupRegistry.groups(beans);
        if (!all.contains(named.name())) {
            if (TestSlice.isIn(beans.getBean(Environment.class))) {
                return; // the rest of the application has it
            }
            throw refusal(
                    named,
                    "there is no group of HTTP services of this name" + NearestName.question(named.name(), all),
                    "Name a group of @ImportHttpServices; this application has "
                            + (all.isEmpty() ? "none." : String.join(", ", new TreeSet<>(all)) + "."));
        }
        if (!ServiceGroupRegistry.localGroups(beans).contains(named.name())) {
            return; // the parent context has it, and checks it
        }
        if (!changed.containsKey(named.name())) {
            throw refusal(
                    named,
                    "the interfaces of this group are not called by " + kind.client(),
                    "Name the group in " + kind.otherSection() + "." + ClientKind.HTTP_SERVICE_GROUP.key() + ".");
        }
        if (!isCollapsing(named.name())) {
            throw refusal(
                    named,
                    "a configurer of HTTP service groups has replaced what makes this group collapse, because it comes"
                            + " later",
                    "Give the application's configurer an order before the last, for example by @Order(0).");
        }
    }

    private static InvalidCollapsePropertyException refusal(SectionClients.Named named, String reason, String action) {
        return new InvalidCollapsePropertyException(named.property(), named.name(), reason, action);
    }
}
