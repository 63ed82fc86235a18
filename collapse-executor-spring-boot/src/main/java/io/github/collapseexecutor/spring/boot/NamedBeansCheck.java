package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
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
    private final ObjectProvider<CollapseHttpRequestInterceptor> interceptor;
    private final ClientSharing sharing;

    NamedBeansCheck(
            List<String> names,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<CollapseHttpRequestInterceptor> interceptor,
            ClientSharing sharing) {
        this.beans = new NamedBeans(
                OptionsReader.REST_TEMPLATE,
                names,
                "RestTemplate, RestClient or RestClient.Builder",
                List.of(RestTemplate.class, RestClient.class, RestClient.Builder.class),
                beans);
        this.interceptor = interceptor;
        this.sharing = sharing;
    }

    @Override
    public void afterSingletonsInstantiated() {
        beans.check(this::checkSingleton);
    }

    private void checkSingleton(String property, String name, Object bean) {
        if (bean instanceof RestTemplate restTemplate) {
            new CollapsingRestClients(interceptor.getObject(), sharing.ofClient(name)).addTo(restTemplate);
        } else if (bean instanceof RestClient restClient && !CollapsingRestClients.isIn(restClient)) {
            throw beans.createdTooEarly(property, name);
        }
    }
}
