package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.cluster.ClusterCalls;
import io.github.collapseexecutor.cluster.ClusterOptions;
import io.github.collapseexecutor.spring.boot.cluster.ClusterReader;
import io.github.collapseexecutor.spring.boot.cluster.LinkHealth;
import io.github.collapseexecutor.spring.boot.cluster.RedisSharing;
import io.github.collapseexecutor.spring.boot.config.BoundProperties;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.ConditionalOnSwitches;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import io.github.collapseexecutor.spring.boot.config.ProxyBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;

/**
 * Turns {@code collapse.executor.cluster.*} into a {@link ClusterCalls} bean, one for the application, which uses the application's own
 * connection factory.
 *
 * <pre>{@code
 * collapse:
 *   executor:
 *     cluster:
 *       secret: ${CLUSTER_SECRET}
 *     executors:
 *       users:
 *         cluster: true
 * }</pre>
 *
 * <p>The bean exists where collapse-executor-redis is on the class path, a {@link ReactiveRedisConnectionFactory} is a bean, and a secret is set. It
 * is closed with the context. It connects in the background when the application starts; Redis may be away then. A {@code ClusterCalls} bean of
 * the application's own takes its place.
 */
@AutoConfiguration(
        afterName = {
            // Boot 3, then Boot 4
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@ConditionalOnClass({ClusterCalls.class, ReactiveRedisConnectionFactory.class})
@ConditionalOnSwitches({"enabled", "cluster.enabled"})
@Import(BoundProperties.class)
public final class CollapseClusterAutoConfiguration {

    /** Created by Spring. */
    public CollapseClusterAutoConfiguration() {}

    /** What stands in the properties, read once. */
    record Settings(ClusterOptions options) {}

    /** Made at the start, with or without a secret: a value that is not allowed must stop it. */
    @Bean
    @Lazy(false)
    Settings collapseClusterSettings(CollapseExecutorProperties properties, Environment environment) {
        return new Settings(
                ClusterReader.options(properties.cluster(), environment.getProperty("spring.application.name", "")));
    }

    @Bean(destroyMethod = "close")
    @Conditional(OnSecret.class)
    @ConditionalOnSingleCandidate(ReactiveRedisConnectionFactory.class)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    ClusterCalls collapseClusterCalls(ReactiveRedisConnectionFactory factory, Settings settings) {
        ClusterCalls calls = new ClusterCalls(factory, settings.options());
        calls.connect();
        return calls;
    }

    /** A secret that names a variable which nobody has set is there: it stops the start where it is read, which says so. */
    static final class OnSecret implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return context.getEnvironment().containsProperty(OptionsReader.SECRET);
        }
    }

    /** Also of a bean that the application has made. */
    @Bean
    @ConditionalOnSingleCandidate(ClusterCalls.class)
    RedisSharing collapseRedisSharing(ClusterCalls calls, ListableBeanFactory beans) {
        return new RedisSharing(calls, beans);
    }

    /** Switched as each of Spring Boot's own is. */
    static final class OnHealth implements Condition {

        private static final String ENABLED = "management.health.collapse.enabled";
        private static final String ALL = "management.health.defaults.enabled";

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Environment environment = context.getEnvironment();
            boolean all = environment.getProperty(ALL, Boolean.class, true);
            return LinkHealth.isPossible(context.getClassLoader())
                    && environment.getProperty(ENABLED, Boolean.class, all);
        }
    }

    @Bean
    @Conditional(OnHealth.class)
    static BeanFactoryPostProcessor collapseHealthIndicatorType() {
        return ProxyBean.typed("collapseHealthIndicator", LinkHealth.indicator());
    }

    @Bean
    @Conditional(OnHealth.class)
    @ConditionalOnSingleCandidate(ClusterCalls.class)
    static ProxyBean<?> collapseHealthIndicator(ObjectProvider<RedisSharing> sharing) {
        return LinkHealth.of(sharing::getObject);
    }
}
