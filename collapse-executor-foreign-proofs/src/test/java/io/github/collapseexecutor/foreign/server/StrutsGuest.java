package io.github.collapseexecutor.foreign.server;

import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.apache.struts2.ActionSupport;
import org.apache.struts2.ServletActionContext;
import org.apache.struts2.dispatcher.servlet.StrutsServlet;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.context.support.WebApplicationContextUtils;

/** Struts, as a servlet, whose actions are in struts.xml: a page, a stream and a redirect. */
@Configuration(proxyBeanMethods = false)
class StrutsGuest {

    /** Asks the backend. */
    public static final class Asking extends ActionSupport {

        private static final long serialVersionUID = 1;

        private String text = "";

        @Override
        public String execute() {
            HttpServletRequest request = ServletActionContext.getRequest();
            Backend backend = WebApplicationContextUtils.getRequiredWebApplicationContext(
                            ServletActionContext.getServletContext())
                    .getBean(Backend.class);
            text = backend.read("struts", request.getParameter("of")) + " for " + request.getHeader("Authorization")
                    + " in " + getLocale();
            return SUCCESS;
        }

        public String getText() {
            return text;
        }

        public InputStream getStream() {
            return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Bean
    ServletRegistrationBean<Servlet> struts() {
        ServletRegistrationBean<Servlet> registration = new ServletRegistrationBean<>(new StrutsServlet(), "/struts/*");
        registration.setName("struts");
        return registration;
    }
}
