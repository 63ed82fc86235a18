package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.http.OtherInstances;
import io.github.collapseexecutor.spring.boot.cluster.InstanceSharing;
import io.github.collapseexecutor.spring.boot.cluster.SharingCheck;
import io.github.collapseexecutor.spring.boot.config.InvalidCollapsePropertyException;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * Which clients in the {@code apply-bean-names} of one section share responses with other instances: each with the client of its name. A
 * name has to mean one client, the same on all instances. So only a singleton of the outermost context shares.
 */
final class ClientSharing {

    private static final Log logger = LogFactory.getLog(ClientSharing.class);

    private static final String REMEDY =
            " Give each client a name of its own in code: by cluster.http(…) of the ClusterCalls bean.";

    // immutable
    private final SectionClients clients;
    private final String sharing;
    private final boolean on;
    private final SharingCheck check;
    private final ConfigurableListableBeanFactory beans;
    private final String application;

    // mutable, thread-safe
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    ClientSharing(SectionClients clients, SharingCheck check, ConfigurableListableBeanFactory beans) {
        this.clients = clients;
        this.sharing = OptionsReader.sharingOf(clients.property());
        this.on = check.isOn() && clients.isShared();
        this.check = check;
        this.beans = beans;
        this.application = beans.getBean(Environment.class).getProperty("spring.application.name", "");
    }

    SectionClients clients() {
        return clients;
    }

    /** Refuses what cannot work, whether or not there are clients. */
    void check() {
        if (!on) {
            return;
        }
        if (clients.described().isEmpty()) {
            throw new InvalidCollapsePropertyException(
                    sharing,
                    true,
                    "only clients that apply-bean-names or apply-http-service-groups names share with other instances, because"
                            + " the name tells which client is meant",
                    "Name the clients, or give another client cluster.http(…) of the ClusterCalls bean in code.");
        }
        InstanceSharing unused = check.required(sharing);
    }

    /**
     * Returns what a client shares with; null if it shares nothing.
     *
     * @param beanName as its factory calls it: that of an instance of a scope, not of the proxy in front, which is a singleton
     */
    @Nullable OtherInstances ofClient(String beanName) {
        if (!on) {
            return null;
        }
        String shownName = ClientBeans.shownName(beanName);
        String bean = "the bean " + shownName;
        if (!beans.isSingleton(beanName)) {
            warnOnce(bean, "it is no singleton, so that its name means several clients.");
            return null;
        }
        return named(bean, application.length() + ":" + application + shownName);
    }

    /** Returns what the client of a group of HTTP services shares with; null if it shares nothing. */
    @Nullable OtherInstances ofServiceGroup(String group) {
        return on
                ? named(
                        "the group " + group + " of HTTP services",
                        "group " + application.length() + ":" + application + group)
                : null;
    }

    private @Nullable OtherInstances named(String client, String name) {
        if (beans.getParentBeanFactory() != null) {
            warnOnce(client, "its context has a parent, so that another context may have a client of this name.");
            return null;
        }
        return check.required(sharing).http(OptionsReader.nameOf(clients.property()) + " " + name);
    }

    /** Says that the clients of a builder share nothing; returns null, for nothing. */
    @Nullable OtherInstances ofBuilder(String beanName) {
        if (on) {
            warnOnce("the bean " + ClientBeans.shownName(beanName), "a builder may build several clients.");
        }
        return null;
    }

    private void warnOnce(String client, String reason) {
        if (warned.add(client)) {
            logger.warn(sharing + " has no effect on " + client + ": " + reason + REMEDY);
        }
    }
}
