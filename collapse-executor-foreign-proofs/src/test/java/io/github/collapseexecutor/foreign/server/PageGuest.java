package io.github.collapseexecutor.foreign.server;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** Thymeleaf: a page, a form, whose token is for one client only where Spring Security is there, and a fragment. */
@Configuration(proxyBeanMethods = false)
class PageGuest {

    @Controller
    static class Pages {

        // immutable
        private final Backend backend;

        Pages(Backend backend) {
            this.backend = backend;
        }

        private void fill(Model model, String what, @Nullable Principal user, Locale locale) {
            model.addAttribute("what", backend.read("page", what) + " in " + locale);
            model.addAttribute("user", user == null ? "nobody" : user.getName());
        }

        @GetMapping("/page/x")
        String page(Model model, @Nullable Principal user, Locale locale) {
            fill(model, "x", user, locale);
            return "page";
        }

        @GetMapping("/page/form")
        String form(Model model, @Nullable Principal user, Locale locale) {
            fill(model, "form", user, locale);
            return "form";
        }

        @GetMapping("/page/fragment")
        String fragment(Model model, @Nullable Principal user, Locale locale) {
            fill(model, "fragment", user, locale);
            return "page :: part";
        }

        /** What SiteMesh puts a page into. */
        @GetMapping("/decorator")
        void decorator(HttpServletResponse response) throws IOException {
            response.setContentType("text/html;charset=UTF-8");
            response.getWriter().write("<html><body><h1>decorated</h1><sitemesh:write property='body'/></body></html>");
        }
    }
}
