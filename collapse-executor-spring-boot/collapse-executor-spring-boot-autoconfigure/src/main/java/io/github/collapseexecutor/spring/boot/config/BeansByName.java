package io.github.collapseexecutor.spring.boot.config;

import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Defines a bean for each key of a map in the properties that no other bean has as its name: one that a factory makes of its name, when
 * somebody asks for it.
 *
 * @param environment holds the properties
 * @param property the map whose keys are names
 * @param otherwiseMade names of which the factory makes no bean
 * @param factory the name of the bean that makes the beans, and closes them
 * @param method the method of that bean that makes one of its name
 */
public record BeansByName(
        Environment environment, String property, Set<String> otherwiseMade, String factory, String method)
        implements BeanDefinitionRegistryPostProcessor {

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        names().stream()
                .filter(name -> !otherwiseMade.contains(name) && !isTaken(name, registry))
                .forEach(name -> registry.registerBeanDefinition(name, definition(name)));
    }

    /** Whether the application has a bean of the name: by a definition, an alias or an object, here or in a context above. */
    private boolean isTaken(String name, Object beans) {
        if (!(beans instanceof HierarchicalBeanFactory present)) {
            return false;
        }
        BeanFactory above = present.getParentBeanFactory();
        return (present.containsLocalBean(name) && !isMadeByName(name, present))
                || (above != null && isTaken(name, above));
    }

    /** Each context has executors and writers of its own, whichever the contexts above it have made. */
    private boolean isMadeByName(String name, HierarchicalBeanFactory beans) {
        return beans instanceof ConfigurableListableBeanFactory listed
                && listed.containsBeanDefinition(name)
                && factory.equals(listed.getBeanDefinition(name).getFactoryBeanName())
                && method.equals(listed.getBeanDefinition(name).getFactoryMethodName());
    }

    /** Injected by its name only, so that it is no second candidate beside a bean of the application's. */
    private AbstractBeanDefinition definition(String name) {
        AbstractBeanDefinition definition = BeanDefinitionBuilder.genericBeanDefinition()
                .setFactoryMethodOnBean(method, factory)
                .addConstructorArgValue(name)
                .setDestroyMethodName("") // the factory closes what it made
                .setLazyInit(true)
                .getBeanDefinition();
        definition.setDefaultCandidate(false);
        return definition;
    }

    private Set<String> names() {
        return Binder.get(environment)
                .bind(property, Bindable.mapOf(String.class, Object.class))
                .map(Map::keySet)
                .orElse(Set.of());
    }
}
