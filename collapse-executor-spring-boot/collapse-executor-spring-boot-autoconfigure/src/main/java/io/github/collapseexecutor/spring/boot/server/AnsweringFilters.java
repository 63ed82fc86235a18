package io.github.collapseexecutor.spring.boot.server;

import io.github.collapseexecutor.http.UriPattern;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import java.util.List;
import java.util.Set;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Warns of frameworks that answer requests as filters. They stand before the collapsing filter, because that is the last one, and so their
 * requests never reach it.
 */
final class AnsweringFilters {

    private static final Log logger = LogFactory.getLog(AnsweringFilters.class);

    /** Those that are no servlets as well, as that of Jersey is. */
    private static final Set<String> KNOWN = Set.of(
            "com.google.inject.servlet.GuiceFilter",
            "org.apache.struts2.dispatcher.filter.StrutsExecuteFilter",
            "org.apache.struts2.dispatcher.filter.StrutsPrepareAndExecuteFilter",
            "org.apache.tapestry5.TapestryFilter",
            "org.apache.wicket.protocol.http.WicketFilter");

    private AnsweringFilters() {}

    /** Says in the log which filters of a context answer requests of a group themselves, and what to do. */
    static void warn(@Nullable ServletContext context, List<UriPattern> groups) {
        if (context == null) {
            return;
        }
        context.getFilterRegistrations().forEach((name, registration) -> {
            if (answers(registration.getClassName(), context.getClassLoader()) && meets(registration, groups)) {
                logger.warn("The filter " + name + " (" + registration.getClassName()
                        + ") answers requests itself, and stands before the collapsing filter, which is the last one: its requests do"
                        + " not collapse. Run the framework as a servlet (Jersey: spring.jersey.type=servlet), or define a bean of"
                        + " the type FilterRegistrationBean<CollapseServletFilter> with a lower order than that filter's, and the"
                        + " dispatcher types REQUEST and ASYNC.");
            }
        });
    }

    private static boolean answers(@Nullable String className, ClassLoader loader) {
        if (className == null || !ClassUtils.isPresent(className, loader)) {
            return false;
        }
        Class<?> type = ClassUtils.resolveClassName(className, loader);
        boolean known = Servlet.class.isAssignableFrom(type);
        while (type != null && !known) {
            known = KNOWN.contains(type.getName());
            type = type.getSuperclass();
        }
        return known;
    }

    private static boolean meets(FilterRegistration registration, List<UriPattern> groups) {
        return registration.getUrlPatternMappings().stream()
                .anyMatch(mapping -> groups.stream().anyMatch(pattern -> meets(mapping, pattern.toString())));
    }

    /** Whether a path may match both, as far as the parts tell that stand before the first wildcard. */
    private static boolean meets(String mapping, String pattern) {
        if (pattern.startsWith("regex:") || pattern.startsWith("//")) {
            return true;
        }
        String ofMapping = beginning(mapping);
        String ofPattern = beginning(pattern);
        return ofMapping.startsWith(ofPattern) || ofPattern.startsWith(ofMapping);
    }

    private static String beginning(String pattern) {
        return pattern.split("[*?{]", 2)[0];
    }
}
