package io.github.collapseexecutor.spring.boot.server;

import io.github.collapseexecutor.http.servlet.CollapseServletFilter;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Lazy;

/** Warns of a collapsing filter that the application registers in a way in which its followers cannot come back. */
@Lazy(false)
record FilterRegistrationsCheck(ListableBeanFactory beans) implements SmartInitializingSingleton {

    private static final Log logger = LogFactory.getLog(FilterRegistrationsCheck.class);

    @Override
    public void afterSingletonsInstantiated() {
        beans.getBeansOfType(FilterRegistrationBean.class).forEach((name, registration) -> {
            if (registration.isEnabled() && registration.getFilter() instanceof CollapseServletFilter) {
                check(name, registration);
            }
        });
    }

    private static void check(String name, FilterRegistrationBean<?> registration) {
        if (!registration.isAsyncSupported()) {
            logger.warn(
                    "The registration " + name + " of a collapsing filter has no async support, so that followers hold"
                            + " their threads and asynchronous handlers fail. Remove setAsyncSupported(false).");
        }
        EnumSet<DispatcherType> missing = EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC);
        missing.removeAll(registration.determineDispatcherTypes());
        if (!missing.isEmpty()) {
            logger.warn("The registration " + name + " of a collapsing filter is not mapped to the dispatcher types "
                    + missing + ", so that requests are not collapsed, or are not answered with what they waited for."
                    + " Map it to REQUEST and ASYNC.");
        }
    }
}
