package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.spring.boot.config.ClientKind;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import java.util.List;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.web.reactive.function.client.WebClient;

/** Stops the start if a name in {@code apply-bean-names} is that of no bean, or of one that cannot collapse. */
final class NamedWebClientsCheck implements SmartInitializingSingleton {

    // immutable
    private final NamedBeans beans;

    NamedWebClientsCheck(SectionClients clients, ConfigurableListableBeanFactory beans) {
        this.beans = new NamedBeans(
                clients.places(ClientKind.BEAN),
                "WebClient or WebClient.Builder",
                List.of(WebClient.class, WebClient.Builder.class),
                beans);
    }

    @Override
    public void afterSingletonsInstantiated() {
        beans.check((property, name, bean) -> {
            if (bean instanceof WebClient client && !CollapsingWebClients.isIn(client)) {
                throw beans.createdTooEarly(property, name);
            }
        });
    }
}
