package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.spring.boot.config.ClientKind;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import java.util.List;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * Stops the start if a name in {@code apply-bean-names} is that of no bean, or of one that cannot collapse. Once all beans
 * exist, it also puts the request factory of a RestTemplate below what was added or set in the meantime.
 */
final class NamedBeansCheck implements SmartInitializingSingleton {

    // immutable
    private final NamedBeans beans;
    private final ClientAdapters<CollapsingRestClients> adapters;

    NamedBeansCheck(
            SectionClients clients,
            ConfigurableListableBeanFactory beans,
            ClientAdapters<CollapsingRestClients> adapters) {
        this.beans = new NamedBeans(
                clients.places(ClientKind.BEAN),
                "RestTemplate, RestClient or RestClient.Builder",
                List.of(RestTemplate.class, RestClient.class, RestClient.Builder.class),
                beans);
        this.adapters = adapters;
    }

    @Override
    public void afterSingletonsInstantiated() {
        beans.check(this::checkSingleton);
    }

    private void checkSingleton(String property, String name, Object bean) {
        if (bean instanceof RestTemplate restTemplate) {
            adapters.ofBean(name).addTo(restTemplate);
        } else if (bean instanceof RestClient restClient && !CollapsingRestClients.isIn(restClient)) {
            throw beans.createdTooEarly(property, name);
        }
    }
}
