package io.github.collapseexecutor.http.servlet.mvc;

import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.get;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.head;

import java.util.Map;
import java.util.stream.Stream;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The same address in several representations. */
final class NegotiationCases {

    private NegotiationCases() {}

    static Stream<MvcCase> cases() {
        Stream<MvcCase> accepts = Stream.of(
                        "text/plain",
                        "application/json",
                        "text/*",
                        "*/*",
                        "application/json;q=0.1, text/plain;q=0.9",
                        "application/vnd.own+json",
                        "image/png",
                        "text/plain;charset=utf-16",
                        "broken")
                .map(accept -> get("/negotiation/either").with("Accept", accept));
        Stream<MvcCase> others = Stream.of(
                get("/negotiation/either"),
                head("/negotiation/either").with("Accept", "text/plain"),
                get("/negotiation/either").with("Accept", "text/plain").with("Accept", "application/json"),
                get("/negotiation/object"),
                get("/negotiation/object").with("Accept", "text/html"),
                get("/negotiation/object").with("Accept", "application/json"),
                get("/negotiation/object").with("Accept", "application/problem+json"),
                get("/negotiation/object?format=json"),
                get("/negotiation/object?format=xml"),
                get("/negotiation/object?format=none"),
                get("/negotiation/preset").with("Accept", "application/json"),
                MvcCase.of("POST", "/negotiation/echo")
                        .with("Content-Type", "application/json")
                        .body("{\"a\":[1,2]}"),
                MvcCase.of("POST", "/negotiation/echo")
                        .with("Content-Type", "text/plain")
                        .body("text"));
        return Stream.concat(accepts, others);
    }

    @RestController
    static class Handlers {

        @GetMapping(path = "/negotiation/either", produces = "text/plain")
        String text() {
            return "text";
        }

        @GetMapping(
                path = "/negotiation/either",
                produces = {"application/json", "application/vnd.own+json"})
        Map<String, Integer> json() {
            return Map.of("json", 1);
        }

        @GetMapping("/negotiation/object")
        Map<String, Integer> object() {
            return Map.of("object", 1);
        }

        @GetMapping("/negotiation/preset")
        ResponseEntity<String> preset() {
            return ResponseEntity.ok()
                    .header("Content-Type", "text/x-own")
                    .header("Vary", "Accept")
                    .body("own");
        }

        @PostMapping(path = "/negotiation/echo", consumes = "application/json")
        Map<String, Object> echo(@RequestBody Map<String, Object> body) {
            return body;
        }
    }
}
