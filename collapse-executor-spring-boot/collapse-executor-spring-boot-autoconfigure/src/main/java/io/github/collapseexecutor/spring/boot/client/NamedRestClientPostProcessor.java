package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * Makes {@code RestTemplate}s, {@code RestClient}s and their builders collapse, each by a request factory of its own. It needs neither the builder
 * nor the customizer classes of Boot, which moved between its generations.
 */
final class NamedRestClientPostProcessor extends NamedClientPostProcessor<CollapsingRestClients> {

    NamedRestClientPostProcessor(
            BeanFactory beans,
            ObjectProvider<CollapseExecutorProperties> properties,
            ObjectProvider<ClientAdapters<CollapsingRestClients>> adapters) {
        super(beans, properties, adapters);
    }

    @Override
    SectionClients section(CollapseExecutorProperties properties) {
        return SectionClients.ofRestTemplate(properties);
    }

    @Override
    @Nullable Function<CollapsingRestClients, Object> replacement(Object bean) {
        return bean instanceof RestClient client ? collapsing -> collapsing.addTo(client) : null;
    }

    @Override
    @Nullable Function<CollapsingRestClients, Object> change(Object bean) {
        if (!(bean instanceof RestTemplate client)) {
            return null;
        }
        return collapsing -> {
            collapsing.addTo(client);
            return client;
        };
    }

    @Override
    @Nullable Function<CollapsingRestClients, Object> builder(Object bean) {
        return bean instanceof RestClient.Builder builder ? collapsing -> collapsing.addTo(builder) : null;
    }
}
