package io.github.collapseexecutor.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.reflect.Proxy;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.type.AnnotationMetadata;

/** However a bean is made, its executors, and so its meters, have the name that users know, the same with each start. */
class NamesOfExecutorsTests {

    interface Prices {

        @Collapsible
        String price(long item);
    }

    static class TeaPrices implements Prices {

        @Override
        public String price(long item) {
            return "price " + item;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Plain {
        @Bean
        Prices prices() {
            return new TeaPrices();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Lambda {
        @Bean
        Prices prices() {
            return item -> "price " + item;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Anonymous {
        @Bean
        Prices prices() {
            return new Prices() {
                @Override
                public String price(long item) {
                    return "price " + item;
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class JdkProxy {
        @Bean
        Prices prices() {
            TeaPrices target = new TeaPrices();
            return (Prices) Proxy.newProxyInstance(
                    Prices.class.getClassLoader(),
                    new Class<?>[] {Prices.class},
                    (proxy, method, arguments) -> method.invoke(target, arguments));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ClassProxy {
        @Bean
        Prices prices() {
            ProxyFactory factory = new ProxyFactory(new TeaPrices());
            factory.setProxyTargetClass(true);
            return (Prices) factory.getProxy();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Prototype {
        @Bean
        @Scope("prototype")
        Prices prices() {
            return new TeaPrices();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ScopedClass {
        @Bean
        @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        TeaPrices prices() {
            return new TeaPrices();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ScopedInterface {
        @Bean
        @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.INTERFACES)
        Prices prices() {
            return new TeaPrices();
        }
    }

    static class PricesFactory implements FactoryBean<Prices> {

        @Override
        public Prices getObject() {
            return new TeaPrices();
        }

        @Override
        public Class<?> getObjectType() {
            return Prices.class;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Factory {
        @Bean
        PricesFactory prices() {
            return new PricesFactory();
        }
    }

    /** A class that Spring enhances has the annotated method itself. */
    @Configuration("prices")
    static class Enhanced {
        @Collapsible
        public String price(long item) {
            return "price " + item;
        }
    }

    record Shop(Prices prices) {}

    /** As in XML, where a bean may be defined inside of another one, without a name. */
    static class InnerDefinition implements ImportBeanDefinitionRegistrar {

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            registry.registerBeanDefinition(
                    "shop",
                    BeanDefinitionBuilder.genericBeanDefinition(Shop.class)
                            .addConstructorArgValue(BeanDefinitionBuilder.genericBeanDefinition(TeaPrices.class)
                                    .getBeanDefinition())
                            .getBeanDefinition());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(InnerDefinition.class)
    static class Inner {}

    static Stream<Arguments> kinds() {
        return Stream.of(
                Arguments.of(Plain.class, "prices.price"),
                Arguments.of(Lambda.class, "prices.price"),
                Arguments.of(Anonymous.class, "prices.price"),
                Arguments.of(JdkProxy.class, "prices.price"),
                Arguments.of(ClassProxy.class, "prices.price"),
                Arguments.of(Prototype.class, "prices.price"),
                Arguments.of(ScopedClass.class, "prices.price"),
                Arguments.of(ScopedInterface.class, "prices.price"),
                Arguments.of(Factory.class, "prices.price"),
                Arguments.of(Enhanced.class, "prices.price"),
                Arguments.of(Inner.class, "teaPrices.price"));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void executorsAreNamedByTheBeanThatUsersKnow(Class<?> application, String name) {
        try (Application running = Application.start(application)) {
            if (running.context().containsBean("prices")) {
                assertThat(running.context().getBean("prices"))
                        .isNotNull(); // an object of a scope is made when it is asked for
                if (running.context().getBean("prices") instanceof Prices prices) {
                    assertThat(prices.price(7)).isEqualTo("price 7");
                }
            }
            assertThat(running.get(CollapsingControl.class).executors()).containsExactly(name);
        }
    }

    static class Wrong {
        @Collapsible
        public void price(long item) {}
    }

    @Test
    void messagesNameTheBeanThatUsersKnow() {
        try (Application running = Application.start(ScopedWrong.class)) {
            Throwable failure = catchThrowable(() -> running.get(Wrong.class).price(7));
            assertThat(failure).rootCause().hasMessageContaining("of bean \"prices\"");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ScopedWrong {

        @Bean
        @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Wrong prices() {
            return new Wrong();
        }
    }
}
