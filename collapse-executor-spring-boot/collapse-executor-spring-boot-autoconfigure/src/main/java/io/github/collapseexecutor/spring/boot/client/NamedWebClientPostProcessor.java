package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.reactive.function.client.WebClient;

/** Makes {@code WebClient}s and their builders collapse, each by a connector or filter of its own. */
final class NamedWebClientPostProcessor extends NamedClientPostProcessor<CollapsingWebClients> {

    NamedWebClientPostProcessor(
            BeanFactory beans,
            ObjectProvider<CollapseExecutorProperties> properties,
            ObjectProvider<ClientAdapters<CollapsingWebClients>> adapters) {
        super(beans, properties, adapters);
    }

    @Override
    SectionClients section(CollapseExecutorProperties properties) {
        return SectionClients.ofWebClient(properties);
    }

    @Override
    @Nullable Function<CollapsingWebClients, Object> replacement(Object bean) {
        return bean instanceof WebClient client ? collapsing -> collapsing.addTo(client) : null;
    }

    @Override
    @Nullable Function<CollapsingWebClients, Object> builder(Object bean) {
        return bean instanceof WebClient.Builder builder ? collapsing -> collapsing.addTo(builder) : null;
    }
}
