package io.github.collapseexecutor.foreign.server;

import jakarta.servlet.Servlet;
import org.apache.wicket.MarkupContainer;
import org.apache.wicket.Page;
import org.apache.wicket.RuntimeConfigurationType;
import org.apache.wicket.markup.IMarkupResourceStreamProvider;
import org.apache.wicket.markup.html.WebPage;
import org.apache.wicket.markup.html.basic.Label;
import org.apache.wicket.protocol.http.WebApplication;
import org.apache.wicket.protocol.http.WicketFilter;
import org.apache.wicket.protocol.http.WicketServlet;
import org.apache.wicket.request.http.WebRequest;
import org.apache.wicket.request.http.WebResponse;
import org.apache.wicket.request.mapper.parameter.PageParameters;
import org.apache.wicket.util.resource.IResourceStream;
import org.apache.wicket.util.resource.StringResourceStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.context.support.WebApplicationContextUtils;

/** Wicket, as a servlet: pages without state, with its own caching headers and without. */
@Configuration(proxyBeanMethods = false)
class WicketGuest {

    /** The application, which Wicket makes. */
    public static final class Pages extends WebApplication {

        @Override
        protected void init() {
            super.init();
            getCspSettings().blocking().disabled();
            mountPage("/page", Stored.class);
            mountPage("/unstored", Shown.class);
            mountPage("/failing", Failing.class);
        }

        @Override
        public Class<? extends Page> getHomePage() {
            return Shown.class;
        }

        @Override
        public RuntimeConfigurationType getConfigurationType() {
            return RuntimeConfigurationType.DEPLOYMENT;
        }
    }

    /** A page that is not to be stored, as Wicket says of any. */
    public static class Shown extends WebPage implements IMarkupResourceStreamProvider {

        private static final long serialVersionUID = 1;

        public Shown(PageParameters parameters) {
            super(parameters);
            Backend backend = WebApplicationContextUtils.getRequiredWebApplicationContext(
                            WebApplication.get().getServletContext())
                    .getBean(Backend.class);
            String user = ((WebRequest) getRequest()).getHeader("Authorization");
            add(new Label(
                    "text",
                    backend.read("wicket", parameters.get("of")) + " for " + user + " in "
                            + getSession().getLocale()));
        }

        @Override
        public IResourceStream getMarkupResourceStream(MarkupContainer container, Class<?> type) {
            return new StringResourceStream("<html><body><p wicket:id=\"text\"></p></body></html>");
        }
    }

    /** A page that says nothing of caches. */
    public static final class Stored extends Shown {

        private static final long serialVersionUID = 1;

        public Stored(PageParameters parameters) {
            super(parameters);
        }

        @Override
        protected void setHeaders(WebResponse response) {}
    }

    /** A page that fails. */
    public static final class Failing extends Shown {

        private static final long serialVersionUID = 1;

        public Failing(PageParameters parameters) {
            super(parameters);
            throw new IllegalStateException("on purpose");
        }
    }

    /** Wicket knows the applications of a JVM by the names of their servlets. */
    @Bean
    ServletRegistrationBean<Servlet> wicket(@Value("${collapse.executor.enabled}") String collapsing) {
        ServletRegistrationBean<Servlet> registration = new ServletRegistrationBean<>(new WicketServlet(), "/wicket/*");
        registration.setName("wicket" + collapsing);
        registration.addInitParameter("applicationClassName", Pages.class.getName());
        registration.addInitParameter(WicketFilter.FILTER_MAPPING_PARAM, "/wicket/*");
        return registration;
    }
}
