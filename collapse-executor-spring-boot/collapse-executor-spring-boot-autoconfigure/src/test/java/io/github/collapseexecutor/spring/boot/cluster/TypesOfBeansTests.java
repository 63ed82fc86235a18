package io.github.collapseexecutor.spring.boot.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.spring.boot.client.ServiceGroupConfigurer;
import io.github.collapseexecutor.spring.boot.fixture.EndpointApplication;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.util.ClassUtils;

/** Post-processors of other libraries ask for the type of each bean while it is made; that of Spring Modulith fails without an answer. */
@OnEachLine
class TypesOfBeansTests extends ClusterConfigurationFixture {

    @Test
    void theTypeOfEachBeanIsKnownWhileItIsMade() {
        try (EndpointApplication application = new EndpointApplication(
                "--spring.data.redis.port=" + redis.port(),
                "--collapse.executor.cluster.secret=" + SECRET,
                "--collapse.executor.cluster.prefix=shop",
                "--collapse.executor.executors.users.cluster=true",
                "--spring.main.sources=" + Asking.class.getName())) {
            Asking asking = application.context.getBean(Asking.class);
            assertThat(asking.made).contains("collapseHealthIndicator");
            if (ClassUtils.isPresent(ServiceGroupConfigurer.OF_REST_CLIENT, null)) {
                assertThat(asking.made).contains("collapseRestClientServiceGroupConfigurer");
            }
            assertThat(asking.unknown).isEmpty();
        }
    }

    /** Asks as Spring Modulith does. */
    static final class Asking implements BeanPostProcessor, ApplicationContextAware {

        // mutable, thread-safe
        private final Set<String> made = ConcurrentHashMap.newKeySet();
        private final Set<String> unknown = ConcurrentHashMap.newKeySet();

        // mutable; set once, before any bean is processed
        private volatile @Nullable ApplicationContext context;

        @Override
        public void setApplicationContext(ApplicationContext applicationContext) {
            context = applicationContext;
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            ApplicationContext present = requireNonNull(context);
            if (present.containsBean(beanName)) {
                made.add(beanName);
                if (present.getType(beanName) == null) {
                    unknown.add(beanName);
                }
            }
            return bean;
        }
    }
}
