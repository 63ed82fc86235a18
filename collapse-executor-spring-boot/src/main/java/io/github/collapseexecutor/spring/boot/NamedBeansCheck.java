package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * Stops the start if a name in {@code apply-bean-names} is that of no bean, or of one that cannot collapse. Once all beans
 * exist, it also moves the interceptor behind those that were added to a RestTemplate in the meantime.
 */
final class NamedBeansCheck implements SmartInitializingSingleton {

    private static final String PROPERTY = OptionsReader.REST_TEMPLATE + ".apply-bean-names";
    private static final List<Class<?>> TYPES = List.of(RestTemplate.class, RestClient.class, RestClient.Builder.class);

    // immutable
    private final List<String> names;
    private final ConfigurableListableBeanFactory beans;
    private final LastInterceptor lastInterceptor;

    NamedBeansCheck(
            List<String> names, ConfigurableListableBeanFactory beans, CollapseHttpRequestInterceptor interceptor) {
        this.names = names;
        this.beans = beans;
        this.lastInterceptor = new LastInterceptor(interceptor);
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            String property = PROPERTY + "[" + i + "]";
            if (!beans.containsLocalBean(name)) {
                throw refusal(
                        property, name, "there is no bean of this name" + NearestName.question(name, candidates()));
            }
            Class<?> type = beans.getType(name);
            if (type != null && TYPES.stream().noneMatch(allowed -> allowed.isAssignableFrom(type))) {
                throw refusal(property, name, "the bean of this name is a " + type.getName());
            }
            if (beans.containsSingleton(name)) {
                checkSingleton(property, name, beans.getBean(name));
            }
        }
    }

    private void checkSingleton(String property, String name, Object bean) {
        if (bean instanceof RestTemplate restTemplate) {
            lastInterceptor.moveToEndOf(restTemplate);
        } else if (bean instanceof RestClient restClient && !LastInterceptor.isIn(restClient)) {
            throw refusal(
                    property,
                    name,
                    "the bean of this name was created, by a bean post-processor that needs it, "
                            + "before collapsing could be added to it");
        }
    }

    private InvalidCollapsePropertyException refusal(String property, String name, String reason) {
        List<String> candidates = candidates();
        return new InvalidCollapsePropertyException(
                property,
                name,
                reason,
                "Name a bean of type RestTemplate, RestClient or RestClient.Builder; this application has "
                        + (candidates.isEmpty() ? "none." : String.join(", ", candidates) + "."));
    }

    private List<String> candidates() {
        List<String> candidates = new ArrayList<>();
        for (Class<?> type : TYPES) {
            candidates.addAll(List.of(beans.getBeanNamesForType(type, true, false)));
        }
        return candidates;
    }
}
