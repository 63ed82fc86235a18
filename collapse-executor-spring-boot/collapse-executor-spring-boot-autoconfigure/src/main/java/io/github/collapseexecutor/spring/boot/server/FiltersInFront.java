package io.github.collapseexecutor.spring.boot.server;

import io.github.collapseexecutor.http.servlet.CollapseServletFilter;
import io.github.collapseexecutor.http.servlet.FollowerWaiting;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.util.ClassUtils;

/**
 * Decides where followers wait by the filters of a servlet context: nowhere, if each of them is known to support that a request
 * leaves it without a response and comes back in an async dispatch; else on their threads.
 *
 * <p>Every filter of the context counts, because the order is not to be seen, and those inside Spring Security's chains. Known
 * are filters of Spring, Spring Boot and the containers that the tests of this project have shown to support it, and those that
 * the application names.
 *
 * @param beans the application's beans, among which a filter's proxy finds its filter
 * @param declared class names of filters that, as the application says, support async dispatch
 * @param threadsAreVirtual whether a thread that is held costs the server nothing
 */
record FiltersInFront(ListableBeanFactory beans, Set<String> declared, boolean threadsAreVirtual) {

    private static final Log logger = LogFactory.getLog(FiltersInFront.class);

    private static final Set<String> KNOWN = Set.of(
            "org.springframework.web.filter.CharacterEncodingFilter",
            "org.springframework.web.filter.CorsFilter",
            "org.springframework.web.filter.FormContentFilter",
            "org.springframework.web.filter.ForwardedHeaderFilter",
            "org.springframework.web.filter.HiddenHttpMethodFilter",
            "org.springframework.web.filter.RequestContextFilter",
            "org.springframework.web.filter.ServerHttpObservationFilter",
            "org.springframework.web.servlet.resource.ResourceUrlEncodingFilter",
            "org.springframework.boot.web.servlet.filter.OrderedCharacterEncodingFilter",
            "org.springframework.boot.web.servlet.filter.OrderedFormContentFilter",
            "org.springframework.boot.web.servlet.filter.OrderedHiddenHttpMethodFilter",
            "org.springframework.boot.web.servlet.filter.OrderedRequestContextFilter",
            "org.springframework.boot.servlet.filter.OrderedCharacterEncodingFilter",
            "org.springframework.boot.servlet.filter.OrderedFormContentFilter",
            "org.springframework.boot.servlet.filter.OrderedHiddenHttpMethodFilter",
            "org.springframework.boot.servlet.filter.OrderedRequestContextFilter",
            "org.springframework.session.web.http.SessionRepositoryFilter",
            "org.apache.tomcat.websocket.server.WsFilter",
            "org.eclipse.jetty.ee10.websocket.servlet.WebSocketUpgradeFilter",
            "org.eclipse.jetty.ee11.websocket.servlet.WebSocketUpgradeFilter",
            "io.undertow.websockets.jsr.JsrWebSocketFilter");

    private static final String SPRING_SECURITY = "org.springframework.security.";
    private static final boolean IS_SECURITY_PRESENT = ClassUtils.isPresent(
            "org.springframework.security.web.FilterChainProxy", FiltersInFront.class.getClassLoader());

    /** Decides, and says in the log if followers hold threads of a pool, because of which filters, and what to do. */
    FollowerWaiting waitingIn(ServletContext context) {
        Set<String> unknown = new TreeSet<>();
        context.getFilterRegistrations().forEach((name, registration) -> addUnknown(name, registration, unknown));
        if (unknown.isEmpty()) {
            return FollowerWaiting.ASYNC;
        }
        if (threadsAreVirtual) {
            return FollowerWaiting.BLOCK;
        }
        logger.info(
                "Requests that wait for the response of another hold their threads, because these filters are not known to"
                        + " support async dispatch: " + String.join(", ", unknown) + ". Name those that do in "
                        + OptionsReader.SERVLET + ".async-safe-filters, or set " + OptionsReader.SERVLET
                        + ".waiting to async or block.");
        return FollowerWaiting.BLOCK;
    }

    private void addUnknown(String name, FilterRegistration registration, Set<String> unknown) {
        String type = registration.getClassName();
        if (type == null) {
            unknown.add(name);
        } else if (type.startsWith("org.springframework.") && isProxy(ClassUtils.getShortName(type))) {
            Filter filter = beans.containsBean(name) && beans.isTypeMatch(name, Filter.class)
                    ? beans.getBean(name, Filter.class)
                    : null;
            addUnknown(name, filter, unknown);
        } else if (!type.equals(CollapseServletFilter.class.getName())) {
            addUnlessKnown(type, unknown);
        }
    }

    /** Whether a filter of Spring's hands requests to a bean, or to the filters of a chain. */
    private static boolean isProxy(String shortName) {
        return shortName.contains("DelegatingFilterProxy") || shortName.contains("FilterChainProxy");
    }

    /** Adds the filter behind a proxy, or those of its chains. */
    private void addUnknown(String name, @Nullable Filter filter, Set<String> unknown) {
        if (filter == null) {
            unknown.add(name);
        } else if (IS_SECURITY_PRESENT && SecurityChains.isOne(filter)) {
            SecurityChains.filtersOf(filter).forEach(each -> addUnlessKnown(each, unknown));
        } else {
            addUnlessKnown(filter, unknown);
        }
    }

    private void addUnlessKnown(Filter filter, Set<String> unknown) {
        addUnlessKnown(ClassUtils.getUserClass(filter).getName(), unknown);
    }

    private void addUnlessKnown(String type, Set<String> unknown) {
        if (!KNOWN.contains(type) && !declared.contains(type) && !type.startsWith(SPRING_SECURITY)) {
            unknown.add(type);
        }
    }

    /** Loaded only where Spring Security is on the class path. */
    private static final class SecurityChains {

        static boolean isOne(Filter filter) {
            return filter instanceof FilterChainProxy;
        }

        static List<Filter> filtersOf(Filter proxy) {
            return ((FilterChainProxy) proxy)
                    .getFilterChains().stream()
                            .flatMap(chain -> chain.getFilters().stream())
                            .toList();
        }
    }
}
