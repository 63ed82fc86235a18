package io.github.collapseexecutor.spring.boot;

import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Defines a bean for each name under {@code collapse.executor.executors} that no other bean has: an executor of callables, made when
 * somebody asks for it.
 */
final class NamedExecutorBeans implements BeanDefinitionRegistryPostProcessor {

    // immutable
    private final Environment environment;

    NamedExecutorBeans(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        names().stream()
                .filter(name -> !HttpSections.OF_PROPERTIES.contains(name) && !registry.containsBeanDefinition(name))
                .forEach(name -> registry.registerBeanDefinition(name, definition(name)));
    }

    /** Injected by its name only, so that it is no second candidate beside an executor of the application's. */
    private static AbstractBeanDefinition definition(String name) {
        AbstractBeanDefinition definition = BeanDefinitionBuilder.genericBeanDefinition()
                .setFactoryMethodOnBean("callables", CollapseExecutorAutoConfiguration.NAMED_EXECUTORS)
                .addConstructorArgValue(name)
                .setDestroyMethodName("") // the factory closes what it made
                .setLazyInit(true)
                .getBeanDefinition();
        definition.setDefaultCandidate(false);
        return definition;
    }

    private Set<String> names() {
        return Binder.get(environment)
                .bind(OptionsReader.EXECUTORS, Bindable.mapOf(String.class, Object.class))
                .map(Map::keySet)
                .orElse(Set.of());
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {}
}
