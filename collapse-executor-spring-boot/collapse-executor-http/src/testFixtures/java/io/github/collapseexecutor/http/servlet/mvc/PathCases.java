package io.github.collapseexecutor.http.servlet.mvc;

import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.get;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.gets;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.MatrixVariable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** Paths and queries, and what is encoded in them. */
final class PathCases {

    private PathCases() {}

    static Stream<MvcCase> cases() {
        Stream<MvcCase> plain = gets(
                "/path/",
                "variable/one",
                "variable/one/two",
                "variable/one/two?three=four",
                "variable/%C3%BC",
                "variable/a%20b",
                "variable/a+b",
                "variable/a.b.json",
                "variable/",
                "variable/one/",
                "variable/one;x=1",
                "variable/a%3Bb",
                "variable/.well-known",
                "variable/~a!$&'()*,=:@-_",
                "number/12",
                "number/x",
                "any/a/b/c",
                "any",
                "any/../variable/one",
                "any/./a",
                "matrix/a;x=1;y=2",
                "matrix/a;x=1,2;x=3/b;z=4",
                "matrix/a",
                "query",
                "query?",
                "query?a=1&a=2&b=",
                "query?a=%C3%BC+%2B",
                "query?a",
                "query?a=1;b=2",
                "query?%61=1",
                "query?a=x/y?z",
                "query?a=" + "x".repeat(2_000),
                "request/a%20b?c=d%20e",
                "links?x=1",
                "Variable/One");
        return Stream.concat(
                plain,
                Stream.of( // other servers refuse them themselves
                        get("/path/variable/a%25b").notOn(Make.JETTY),
                        get("/path/query?a=%ZZ").on(Make.TOMCAT)));
    }

    @RestController
    static class Handlers {

        @GetMapping("/path/variable/{first}")
        String variable(@PathVariable String first) {
            return "first " + first;
        }

        @GetMapping("/path/variable/{first}/{second:[a-z]+}")
        String variables(@PathVariable Map<String, String> variables) {
            return new TreeMap<>(variables).toString();
        }

        @GetMapping("/path/number/{number}")
        String number(@PathVariable int number) {
            return "number " + number;
        }

        @GetMapping("/path/any/{*rest}")
        String any(@PathVariable String rest) {
            return "rest " + rest;
        }

        @GetMapping("/path/matrix/{first}")
        String matrix(
                @PathVariable String first, @MatrixVariable(pathVar = "first") MultiValueMap<String, String> matrix) {
            return first + new TreeMap<>(matrix);
        }

        @GetMapping("/path/matrix/{first}/{second}")
        String matrices(@MatrixVariable MultiValueMap<String, String> matrix) {
            return new TreeMap<>(matrix).toString();
        }

        @GetMapping("/path/query")
        String query(
                @RequestParam MultiValueMap<String, String> query, @RequestParam(required = false) List<String> a) {
            return new TreeMap<>(query) + " " + a;
        }

        @GetMapping("/path/request/**")
        String request(HttpServletRequest request) {
            return String.join(
                    " ",
                    request.getRequestURI(),
                    request.getRequestURL(),
                    request.getServletPath(),
                    request.getPathInfo(),
                    request.getContextPath(),
                    request.getQueryString(),
                    request.getParameter("c"),
                    request.getMethod(),
                    request.getDispatcherType().name());
        }

        @GetMapping("/path/links")
        String links() {
            return ServletUriComponentsBuilder.fromCurrentRequest()
                    .queryParam("page", 2)
                    .toUriString();
        }
    }
}
