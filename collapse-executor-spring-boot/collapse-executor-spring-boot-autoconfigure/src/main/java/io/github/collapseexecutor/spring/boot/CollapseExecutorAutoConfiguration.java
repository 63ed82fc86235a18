package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.ContextCarrier;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import io.github.collapseexecutor.http.servlet.CollapseServletFilter;
import io.github.collapseexecutor.http.webflux.CollapseWebFilter;
import io.github.collapseexecutor.spring.annotation.CollapsingControl;
import io.github.collapseexecutor.spring.boot.client.AdapterUse;
import io.github.collapseexecutor.spring.boot.client.ClientsConfiguration;
import io.github.collapseexecutor.spring.boot.cluster.ExecutorSharing;
import io.github.collapseexecutor.spring.boot.cluster.InstanceSharing;
import io.github.collapseexecutor.spring.boot.cluster.SharingCheck;
import io.github.collapseexecutor.spring.boot.config.Artifact;
import io.github.collapseexecutor.spring.boot.config.BeansByName;
import io.github.collapseexecutor.spring.boot.config.BoundProperties;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.CollapseFailureAnalyzer;
import io.github.collapseexecutor.spring.boot.config.InvalidCollapsePropertyException;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import io.github.collapseexecutor.spring.boot.config.SetProperties;
import io.github.collapseexecutor.spring.boot.registry.ExecutorObserver;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import io.github.collapseexecutor.spring.boot.registry.MadeExecutors;
import io.github.collapseexecutor.spring.boot.registry.ObservedExecutors;
import io.github.collapseexecutor.spring.boot.report.ReasonLog;
import io.github.collapseexecutor.spring.boot.report.StartReport;
import io.github.collapseexecutor.spring.boot.server.ServersConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Turns {@code collapse.executor.*} into a {@link CollapseHttpRequestInterceptor} and a {@link
 * CollapseExchangeFilterFunction} bean, on Spring Boot 3.5 and 4.x.
 *
 * <pre>{@code
 * collapse:
 *   executor:
 *     rest-template:
 *       apply-bean-names: restTemplate
 *       collapse-groups:
 *         - uris: /user/*
 * }</pre>
 *
 * <p>A bean of the application's own of such a type takes its place. The beans that {@code apply-bean-names} names collapse below all
 * their interceptors and filters: a {@code RestTemplate} or {@code RestClient} by a request factory around its own, a
 * {@code WebClient} by a connector around the one that it was given. So does each client that a named builder builds, and the one of
 * each group of HTTP services that {@code apply-http-service-groups} names. A client
 * that shows neither gets an interceptor or filter of its own, behind all others.
 *
 * <p>To any other client the application adds the interceptor or the filter itself, as the last one. <b>These beans have
 * prototype scope: every injection point gets an instance of its own, and each instance belongs to one client.</b> A bean that
 * is injected with one and makes several clients takes {@link CollapseHttpRequestInterceptor#forAnotherClient()} or
 * {@link CollapseExchangeFilterFunction#forAnotherClient()} for each.
 *
 * <p>A {@link CollapseServletFilter} is registered as the last filter of a servlet application if its section has a group.
 * Its followers give their threads back if every filter in front is known to support that, and wait on their threads otherwise.
 *
 * <p>A {@link CollapseWebFilter} is a web filter of a reactive application, by default the last one.
 *
 * <p>Without a group, or where {@code collapse.executor.enabled} or the section's own {@code enabled} is
 * false, the bean is still there and lets every request pass, so that a switch never breaks the wiring.
 *
 * <p>Every {@link CollapseListener} bean is told of the batches, and every {@link io.github.collapseexecutor.http.HttpCollapseListener} bean of the requests, of all
 * of these; in the order of the beans. Every {@link ContextCarrier} bean is a carrier of all of these; of
 * several, the first is the outermost. {@link CollapseControl}
 * switches sections and groups off and on again.
 * {@link CollapseSections} treats an adapter of the application's own likewise, {@link NamedExecutors} an executor.
 *
 * <p>Where contexts have parents, every one that is auto-configured has sections, adapters and a control of its own. The
 * properties are those of the outermost: Spring Boot binds a class of properties once.
 *
 * <p>An unknown key, a value that is not allowed, a policy or a bean that does not exist stops the start with a message
 * that names the property, its value and what is allowed.
 */
@AutoConfiguration(after = CollapseClusterAutoConfiguration.class)
@Import({
    BoundProperties.class,
    ClientsConfiguration.class,
    ServersConfiguration.class,
    HttpSections.class,
    MadeExecutors.class,
    SharingCheck.class,
    AdapterUse.class,
    StartReport.class,
    ReasonLog.class
})
public final class CollapseExecutorAutoConfiguration {

    static final String NAMED_EXECUTORS = "collapseNamedExecutors";

    /** Created by Spring. */
    public CollapseExecutorAutoConfiguration() {}

    /** The executors that the application makes by name. */
    @Bean(name = NAMED_EXECUTORS, destroyMethod = "close")
    @Lazy(false)
    NamedExecutors collapseNamedExecutors(
            CollapseExecutorProperties properties,
            ObjectProvider<ContextCarrier> carriers,
            ObjectProvider<CollapseListener> listeners,
            ObjectProvider<ExecutorObserver> observers,
            SharingCheck sharing,
            MadeExecutors made) {
        return new NamedExecutors(
                properties,
                carriers,
                new ObservedExecutors(listeners, observers),
                new ExecutorSharing(properties, sharing),
                made);
    }

    @Bean
    static BeansByName collapseNamedExecutorBeans(Environment environment) {
        requireSection(environment);
        SetProperties set = SetProperties.in(environment);
        requireOneName(set);
        Artifact.requireForPropertiesOf(set);
        return new BeansByName(
                environment, OptionsReader.EXECUTORS, OptionsReader.SECTIONS, NAMED_EXECUTORS, "callables");
    }

    /** {@code collapse.executor: false} is no switch: Spring Boot would bind nothing, without a word, and everything would be on. */
    private static void requireSection(Environment environment) {
        String value = environment.getProperty(CollapseExecutorProperties.PREFIX, "");
        if (!value.isBlank()) {
            throw new InvalidCollapsePropertyException(
                    CollapseExecutorProperties.PREFIX,
                    value,
                    CollapseFailureAnalyzer.SECTION_WITH_VALUE,
                    "Put its keys below it, for example " + CollapseExecutorProperties.PREFIX + ".enabled: false.");
        }
    }

    /** Which of two names goes before the other is nothing that anybody should have to know. */
    private static void requireOneName(SetProperties set) {
        ConfigurationPropertyName one = set.first(OptionsReader.REST_TEMPLATE);
        ConfigurationPropertyName other = set.first(OptionsReader.REST_CLIENT);
        if (one != null && other != null) {
            throw new InvalidCollapsePropertyException(
                    other.toString(),
                    set.shown(other),
                    OptionsReader.REST_CLIENT + " is another name of " + OptionsReader.REST_TEMPLATE + ", and " + one
                            + " is set, too",
                    "Write all properties of the section under one of the two names.");
        }
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    CollapseSections collapseSections(HttpSections sections) {
        return new CollapseSections(sections);
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    CollapseControl collapseControl(
            HttpSections sections,
            ObjectProvider<CollapsingControl> annotated,
            ObjectProvider<InstanceSharing> instances) {
        return new CollapseControl(sections, annotated, instances);
    }
}
