package io.github.collapseexecutor.foreign.annotation;

import io.github.collapseexecutor.foreign.annotation.SetUp.Shape;
import io.github.collapseexecutor.foreign.annotation.SetUp.Sight;
import io.github.resilience4j.springboot3.bulkhead.autoconfigure.BulkheadAutoConfiguration;
import io.github.resilience4j.springboot3.circuitbreaker.autoconfigure.CircuitBreakerAutoConfiguration;
import io.github.resilience4j.springboot3.ratelimiter.autoconfigure.RateLimiterAutoConfiguration;
import io.github.resilience4j.springboot3.retry.autoconfigure.RetryAutoConfiguration;
import io.github.resilience4j.springboot3.timelimiter.autoconfigure.TimeLimiterAutoConfiguration;
import io.micrometer.core.aop.CountedAspect;
import io.micrometer.core.aop.TimedAspect;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.aop.ObservedAspect;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.spi.CachingProvider;
import javax.sql.DataSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionReaderUtils;
import org.springframework.cache.CacheManager;
import org.springframework.cache.caffeine.CaffeineCacheManager;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.cache.jcache.JCacheCacheManager;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.support.TaskExecutorAdapter;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.security.task.DelegatingSecurityContextAsyncTaskExecutor;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.validation.beanvalidation.MethodValidationPostProcessor;

/** The beans of libraries that a set-up needs. */
final class Surroundings {

    private Surroundings() {}

    static Map<String, Object> properties(SetUp setUp) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("resilience4j.retry.instances.lab.max-attempts", 2);
        properties.put("resilience4j.retry.instances.lab.wait-duration", "1ms");
        properties.put("resilience4j.circuitbreaker.instances.lab.minimum-number-of-calls", setUp.flag() ? 8 : 1_000);
        properties.put("resilience4j.circuitbreaker.instances.lab.sliding-window-size", setUp.flag() ? 8 : 1_000);
        properties.put("resilience4j.bulkhead.instances.lab.max-concurrent-calls", 100);
        properties.put("resilience4j.ratelimiter.instances.lab.limit-for-period", 1_000_000);
        properties.put("resilience4j.timelimiter.instances.lab.timeout-duration", "20s");
        if (!setUp.usualOrder()) {
            order(properties, setUp, Layer.RETRY, "retry.retry");
            order(properties, setUp, Layer.CIRCUIT_BREAKER, "circuitbreaker.circuit-breaker");
            order(properties, setUp, Layer.RATE_LIMITER, "ratelimiter.rate-limiter");
            order(properties, setUp, Layer.TIME_LIMITER, "timelimiter.time-limiter");
            order(properties, setUp, Layer.BULKHEAD, "bulkhead.bulkhead");
        }
        return properties;
    }

    private static void order(Map<String, Object> properties, SetUp setUp, Layer layer, String of) {
        if (setUp.has(layer)) {
            properties.put("resilience4j." + of + "-aspect-order", setUp.order(layer));
        }
    }

    static void register(SetUp setUp, AnnotationConfigApplicationContext context, DataSource database) {
        transactions(setUp, context, database);
        cache(setUp, context);
        resilience(setUp, context);
        AsyncTaskExecutor tasks = new TaskExecutorAdapter(Executors.newCachedThreadPool(Surroundings::daemon));
        context.registerBean(
                "taskExecutor",
                AsyncTaskExecutor.class,
                () -> setUp.flag() ? new DelegatingSecurityContextAsyncTaskExecutor(tasks) : tasks);
        if (setUp.has(Layer.VALIDATED)) {
            context.registerBean(MethodValidationPostProcessor.class, () -> {
                MethodValidationPostProcessor processor = new MethodValidationPostProcessor();
                processor.setProxyTargetClass(setUp.classProxies());
                processor.setBeforeExistingAdvisors(setUp.validatesFirst());
                return processor;
            });
        }
        if (setUp.has(Layer.TIMED)) {
            context.registerBean(TimedAspect.class, () -> new TimedAspect(new SimpleMeterRegistry()));
        }
        if (setUp.has(Layer.COUNTED)) {
            context.registerBean(CountedAspect.class, () -> new CountedAspect(new SimpleMeterRegistry()));
        }
        if (setUp.has(Layer.OBSERVED)) {
            context.registerBean(ObservedAspect.class, () -> new ObservedAspect(ObservationRegistry.create()));
        }
        aspects(setUp, context);
        if (setUp.shape() == Shape.PROXIED_AGAIN) {
            context.registerBean(ProxiesAgain.class, ProxiesAgain::new);
        }
        if (setUp.looksAt(Sight.SCOPED)) {
            BeanDefinitionHolder scoped = new BeanDefinitionHolder(
                    BeanDefinitionBuilder.genericBeanDefinition(Backend.Scoped.class)
                            .setScope("request")
                            .getBeanDefinition(),
                    "scoped");
            BeanDefinitionReaderUtils.registerBeanDefinition(
                    ScopedProxyUtils.createScopedProxy(scoped, context, true), context);
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "async");
        thread.setDaemon(true);
        return thread;
    }

    private static void transactions(SetUp setUp, AnnotationConfigApplicationContext context, DataSource database) {
        if (!setUp.persistence()) {
            context.registerBean(
                    "transactionManager",
                    PlatformTransactionManager.class,
                    () -> new DataSourceTransactionManager(database));
            return;
        }
        context.registerBean(LocalContainerEntityManagerFactoryBean.class, () -> {
            LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(database);
            factory.setPackagesToScan(Item.class.getPackageName());
            HibernateJpaVendorAdapter hibernate = new HibernateJpaVendorAdapter();
            hibernate.setGenerateDdl(true);
            factory.setJpaVendorAdapter(hibernate);
            return factory;
        });
        context.registerBean("transactionManager", JpaTransactionManager.class, () -> new JpaTransactionManager());
    }

    private static void cache(SetUp setUp, AnnotationConfigApplicationContext context) {
        switch (setUp.hasCache() ? setUp.cache() : "simple") {
            case "caffeine" -> context.registerBean(CacheManager.class, () -> new CaffeineCacheManager("lab"));
            case "jcache" -> context.registerBean(CacheManager.class, EhcacheManager::new);
            default -> context.registerBean(CacheManager.class, () -> new ConcurrentMapCacheManager());
        }
    }

    /** By the API of JCache. */
    private static final class EhcacheManager extends JCacheCacheManager implements DisposableBean {

        EhcacheManager() {
            super(newManager(Caching.getCachingProvider("org.ehcache.jsr107.EhcacheCachingProvider")));
            javax.cache.CacheManager manager = getCacheManager();
            if (manager != null) {
                manager.createCache("lab", new MutableConfiguration<>().setStoreByValue(false));
            }
        }

        /** One for each class loader. */
        private static javax.cache.CacheManager newManager(CachingProvider provider) {
            ClassLoader loader = new URLClassLoader(new URL[0], Surroundings.class.getClassLoader());
            return provider.getCacheManager(provider.getDefaultURI(), loader);
        }

        @Override
        public void destroy() {
            javax.cache.CacheManager manager = getCacheManager();
            if (manager != null) {
                manager.close();
            }
        }
    }

    private static void resilience(SetUp setUp, AnnotationConfigApplicationContext context) {
        Map<Layer, Class<?>> configurations = Map.of(
                Layer.RETRY, RetryAutoConfiguration.class,
                Layer.CIRCUIT_BREAKER, CircuitBreakerAutoConfiguration.class,
                Layer.BULKHEAD, BulkheadAutoConfiguration.class,
                Layer.RATE_LIMITER, RateLimiterAutoConfiguration.class,
                Layer.TIME_LIMITER, TimeLimiterAutoConfiguration.class);
        configurations.forEach((layer, configuration) -> {
            if (setUp.has(layer)) {
                context.register(configuration);
            }
        });
    }

    private static void aspects(SetUp setUp, AnnotationConfigApplicationContext context) {
        if (setUp.has(Layer.AUDIT)) {
            context.registerBean(Backend.Auditing.class);
        }
        if (setUp.has(Layer.MASK)) {
            context.registerBean(Backend.Masking.class);
        }
        if (setUp.has(Layer.DENY)) {
            context.registerBean(Backend.Guarding.class);
        }
    }

    /** A post-processor of another library, which makes a proxy of its own. */
    private static final class ProxiesAgain implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            if (!beanName.equals("service")) {
                return bean;
            }
            ProxyFactory factory = new ProxyFactory(bean);
            factory.setProxyTargetClass(true);
            return factory.getProxy(bean.getClass().getClassLoader());
        }
    }
}
