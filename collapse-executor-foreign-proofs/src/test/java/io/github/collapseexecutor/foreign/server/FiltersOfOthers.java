package io.github.collapseexecutor.foreign.server;

import brave.Tracing;
import brave.jakarta.servlet.TracingFilter;
import com.codahale.metrics.MetricRegistry;
import io.dropwizard.metrics.servlet.InstrumentedFilter;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.catalina.filters.ExpiresFilter;
import org.apache.shiro.realm.SimpleAccountRealm;
import org.apache.shiro.web.filter.mgt.PathMatchingFilterChainResolver;
import org.apache.shiro.web.mgt.DefaultWebSecurityManager;
import org.apache.shiro.web.servlet.AbstractShiroFilter;
import org.sitemesh.builder.SiteMeshFilterBuilder;
import org.sitemesh.config.ConfigurableSiteMeshFilter;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.session.MapSessionRepository;
import org.springframework.session.web.http.SessionRepositoryFilter;
import org.springframework.util.ClassUtils;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CharacterEncodingFilter;
import org.springframework.web.filter.CommonsRequestLoggingFilter;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.filter.ForwardedHeaderFilter;
import org.springframework.web.filter.ShallowEtagHeaderFilter;
import org.tuckey.web.filters.urlrewrite.UrlRewriteFilter;
import org.zalando.logbook.Correlation;
import org.zalando.logbook.HttpLogWriter;
import org.zalando.logbook.Logbook;
import org.zalando.logbook.Precorrelation;
import org.zalando.logbook.core.DefaultHttpLogFormatter;
import org.zalando.logbook.core.DefaultSink;
import org.zalando.logbook.servlet.LogbookFilter;

/** Filters of other libraries, which stand in front of the guests. */
final class FiltersOfOthers {

    private static final Map<String, Supplier<Filter>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("etag", ShallowEtagHeaderFilter::new);
        ALL.put("logbook", () -> new LogbookFilter(quietLogbook()));
        ALL.put("cors", FiltersOfOthers::cors);
        ALL.put("session", () -> new SessionRepositoryFilter<>(new MapSessionRepository(new ConcurrentHashMap<>())));
        ALL.put("encoding", () -> new CharacterEncodingFilter("UTF-8", true));
        ALL.put("forwarded", ForwardedHeaderFilter::new);
        ALL.put("log", CommonsRequestLoggingFilter::new);
        ALL.put("rewrite", UrlRewriteFilter::new);
        ALL.put("expires", ExpiresFilter::new);
        ALL.put("qos", FiltersOfOthers::qos);
        ALL.put("sitemesh", Decorating::new);
        ALL.put("shiro", Shiro::new);
        ALL.put("brave", () -> TracingFilter.create(Tracing.newBuilder().build()));
        ALL.put("metrics", Measuring::new);
    }

    private static final Map<String, Map<String, String>> PARAMETERS = Map.of(
            "rewrite", Map.of("confPath", "/rewrite.xml", "logLevel", "ERROR"),
            "expires", Map.of("ExpiresByType text/plain", "access plus 10 minutes", "ExpiresDefault", "access"),
            "qos", Map.of("maxRequests", "6", "waitMs", "1"));

    /** Those that support that a follower leaves them without a response; the guide says that others see an empty one. */
    private static final Set<String> SUPPORTING = Set.of("cors", "session", "encoding", "forwarded");

    private FiltersOfOthers() {}

    static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    static boolean support(List<String> names) {
        return SUPPORTING.containsAll(names);
    }

    static FilterRegistrationBean<Filter> registration(String name) {
        FilterRegistrationBean<Filter> registration =
                new FilterRegistrationBean<>(ALL.get(name).get());
        registration.setName(name);
        registration.setInitParameters(PARAMETERS.getOrDefault(name, Map.of()));
        return registration;
    }

    /** One that reads what it logs, and says nothing. */
    static Logbook quietLogbook() {
        return Logbook.builder()
                .sink(new DefaultSink(new DefaultHttpLogFormatter(), new HttpLogWriter() {
                    @Override
                    public void write(Precorrelation precorrelation, String request) {}

                    @Override
                    public void write(Correlation correlation, String response) {}
                }))
                .build();
    }

    /** That of Jetty, which lets some wait by an asynchronous dispatch; Jetty itself has a handler for that now, which other servers have not. */
    private static Filter qos() {
        return (Filter) BeanUtils.instantiateClass(
                ClassUtils.resolveClassName("org.eclipse.jetty.ee10.servlets.QoSFilter", null));
    }

    private static Filter cors() {
        CorsConfiguration configuration = new CorsConfiguration().applyPermitDefaultValues();
        UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
        source.registerCorsConfiguration("/**", configuration);
        return new CorsFilter(source);
    }

    /** SiteMesh, which holds back pages and puts them into another that it asks for by a forward. */
    private static final class Decorating extends ConfigurableSiteMeshFilter {

        @Override
        protected void applyCustomConfiguration(SiteMeshFilterBuilder builder) {
            builder.addDecoratorPath("/page/*", "/decorator");
        }
    }

    /** Shiro, whose user is that of the thread. */
    private static final class Shiro extends AbstractShiroFilter {

        Shiro() {
            SimpleAccountRealm realm = new SimpleAccountRealm();
            realm.addAccount("alice", "alice");
            realm.addAccount("bob", "bob");
            setSecurityManager(new DefaultWebSecurityManager(realm));
            PathMatchingFilterChainResolver chains = new PathMatchingFilterChainResolver();
            chains.getFilterChainManager().createChain("/**", "authcBasic[permissive]");
            setFilterChainResolver(chains);
        }
    }

    /** That of Dropwizard Metrics, which finds its registry in the context. */
    private static final class Measuring extends InstrumentedFilter {

        @Override
        public void init(FilterConfig configuration) throws ServletException {
            configuration.getServletContext().setAttribute(REGISTRY_ATTRIBUTE, new MetricRegistry());
            super.init(configuration);
        }
    }
}
