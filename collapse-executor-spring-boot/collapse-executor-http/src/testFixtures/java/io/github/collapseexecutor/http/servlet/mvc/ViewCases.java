package io.github.collapseexecutor.http.servlet.mvc;

import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.get;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.gets;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.head;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import org.springframework.web.servlet.view.RedirectView;

/** Views, redirects, forwards and includes. */
final class ViewCases {

    private ViewCases() {}

    static Stream<MvcCase> cases() {
        Stream<MvcCase> plain = gets(
                "/view/",
                "page",
                "page?name=x",
                "page-with-status",
                "xml",
                "broken",
                "failing-after-output",
                "unknown",
                "redirect",
                "redirect-away",
                "redirect-with-attributes",
                "redirect-in-path",
                "redirect-permanently",
                "redirect-see-other",
                "redirect-by-response",
                "forward",
                "forward-to-file",
                "forward-to-large-file",
                "forward-to-missing",
                "forward-to-late",
                "dispatch-forward",
                "dispatch-forward-after-output",
                "dispatch-include",
                "dispatch-include-file",
                "dispatch-include-failing",
                "dispatch-include-redirect");
        Stream<MvcCase> others = Stream.of(
                head("/view/page"),
                head("/view/redirect"),
                head("/view/forward"),
                head("/view/dispatch-include"),
                get("/view/redirect").version("HTTP/1.0"),
                get("/view/redirect").with("X-Forwarded-Proto", "https"),
                get("/view/page").with("Accept", "text/html"),
                get("/view/flash").fromUser(),
                get("/view/flash")
                        .then("GET", "/view/flash-target")
                        .with("Cookie", MvcCase.COOKIE)
                        .fromUser());
        return Stream.concat(plain, others);
    }

    private static View view(String contentType) {
        return new View() {
            @Override
            public String getContentType() {
                return contentType;
            }

            @Override
            public void render(Map<String, ?> model, HttpServletRequest request, HttpServletResponse response)
                    throws Exception {
                response.setContentType(contentType);
                Map<String, Object> shown = new TreeMap<>(model);
                shown.keySet().removeIf(name -> name.startsWith("org."));
                response.getWriter().write("<p>" + shown + "</p>");
                if (model.containsKey("fail")) {
                    throw new IllegalStateException("no more");
                }
            }
        };
    }

    @Controller
    static class Handlers {

        @Bean
        static View page() {
            return view("text/html;charset=UTF-8");
        }

        @Bean
        static View xml() {
            return view("application/xml");
        }

        @GetMapping("/view/page")
        String page(@ModelAttribute("name") String name) {
            return "page";
        }

        @GetMapping("/view/page-with-status")
        ModelAndView pageWithStatus() {
            ModelAndView page = new ModelAndView("page", Map.of("a", "\u00e4"));
            page.setStatus(HttpStatus.ACCEPTED);
            return page;
        }

        @GetMapping("/view/xml")
        String xml(Model model) {
            model.addAttribute("a", 1);
            return "xml";
        }

        @GetMapping("/view/broken")
        View broken() {
            return (model, request, response) -> {
                throw new IllegalStateException("broken");
            };
        }

        @GetMapping("/view/failing-after-output")
        String failingAfterOutput(Model model) {
            model.addAttribute("fail", true);
            return "page";
        }

        @GetMapping("/view/unknown")
        String unknown() {
            return "nowhere";
        }

        @GetMapping("/view/redirect")
        String redirect() {
            return "redirect:/view/page";
        }

        @GetMapping("/view/redirect-away")
        String redirectAway() {
            return "redirect:https://example.org/a?b=c";
        }

        @GetMapping("/view/redirect-with-attributes")
        String redirectWithAttributes(RedirectAttributes attributes) {
            attributes.addAttribute("name", "a b\u00fc");
            return "redirect:/view/page";
        }

        @GetMapping("/view/redirect-in-path")
        String redirectInPath(RedirectAttributes attributes) {
            attributes.addAttribute("id", 7);
            return "redirect:/view/{id}";
        }

        @GetMapping("/view/redirect-permanently")
        RedirectView redirectPermanently() {
            RedirectView view = new RedirectView("page");
            view.setStatusCode(HttpStatus.MOVED_PERMANENTLY);
            return view;
        }

        @GetMapping("/view/redirect-see-other")
        RedirectView redirectSeeOther() {
            RedirectView view = new RedirectView("/view/page", true, false);
            return view;
        }

        @GetMapping("/view/redirect-by-response")
        void redirectByResponse(HttpServletResponse response) throws IOException {
            response.sendRedirect("../other?x=y");
        }

        @GetMapping("/view/forward")
        String forward() {
            return "forward:/view/xml";
        }

        @GetMapping("/view/forward-to-file")
        String forwardToFile() {
            return "forward:/static/small.txt";
        }

        @GetMapping("/view/forward-to-large-file")
        String forwardToLargeFile() {
            return "forward:/static/large.bin";
        }

        @GetMapping("/view/forward-to-missing")
        String forwardToMissing() {
            return "forward:/view/missing";
        }

        @GetMapping("/view/forward-to-late")
        String forwardToLate() {
            return "forward:/async/callable/late";
        }

        @GetMapping("/view/dispatch-forward")
        void dispatchForward(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            response.setHeader("X-Before", "1");
            request.getRequestDispatcher("/view/part").forward(request, response);
        }

        @GetMapping("/view/dispatch-forward-after-output")
        void dispatchForwardAfterOutput(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            response.getWriter().write("this is dropped");
            request.getRequestDispatcher("/view/part").forward(request, response);
        }

        @GetMapping("/view/dispatch-include")
        void dispatchInclude(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            response.getWriter().write("before ");
            request.getRequestDispatcher("/view/part").include(request, response);
            response.getWriter().write(" after");
        }

        @GetMapping("/view/dispatch-include-file")
        void dispatchIncludeFile(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            request.getRequestDispatcher("/static/small.txt").include(request, response);
        }

        @GetMapping("/view/dispatch-include-failing")
        void dispatchIncludeFailing(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            response.getWriter().write("before ");
            request.getRequestDispatcher("/view/broken").include(request, response);
        }

        @GetMapping("/view/dispatch-include-redirect")
        void dispatchIncludeRedirect(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            response.getWriter().write("before ");
            request.getRequestDispatcher("/view/redirect").include(request, response);
            response.getWriter().write("after");
        }

        @GetMapping("/view/part")
        void part(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setHeader("X-Part", "1");
            response.getWriter().write("part in " + request.getDispatcherType());
        }

        @GetMapping({"/view/flash", "/shared/view/flash"})
        String flash(RedirectAttributes attributes) {
            attributes.addFlashAttribute("message", "done");
            return "redirect:flash-target";
        }

        @GetMapping({"/view/flash-target", "/shared/view/flash-target"})
        @ResponseBody
        String flashTarget(Model model) {
            return "message: " + model.getAttribute("message");
        }
    }
}
