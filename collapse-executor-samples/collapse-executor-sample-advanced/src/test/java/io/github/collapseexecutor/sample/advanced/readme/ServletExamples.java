package io.github.collapseexecutor.sample.advanced.readme;

import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.servlet.CollapseServletFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import java.util.EnumSet;

/** What the documentation shows for servers. */
final class ServletExamples {

    private ServletExamples() {}

    // readme:begin servlet
    static void register(ServletContext context, HttpCollapseOptions options) {
        FilterRegistration.Dynamic filter = context.addFilter("collapsing", new CollapseServletFilter(options));
        filter.setAsyncSupported(true);
        filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), true, "/*");
    }
    // readme:end
}
