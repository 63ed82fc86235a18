package io.github.collapseexecutor.sample.springboot.live;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpStatus;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Serves the library's page, told where the endpoint and the switches are, and what its switches need. */
@RestController
class LivePageController {

    private static final String PAGE = "io/github/collapseexecutor/spring/boot/endpoint/collapse-page.html";
    private static final String READ_ONLY = "data-endpoint=\"collapse\" data-load=\"\"";
    private static final String WITH_SWITCHES = "data-endpoint=\"actuator/collapse\" data-load=\"live\"";

    // immutable
    private final LiveLoad load;
    private final TwoUsers twoUsers;
    private final String page;

    LivePageController(LiveLoad load, TwoUsers twoUsers) throws IOException {
        this.load = load;
        this.twoUsers = twoUsers;
        String readOnly = new ClassPathResource(PAGE).getContentAsString(StandardCharsets.UTF_8);
        if (!readOnly.contains(READ_ONLY)) {
            throw new IllegalStateException(PAGE + " has no " + READ_ONLY + " to replace");
        }
        this.page = readOnly.replace(READ_ONLY, WITH_SWITCHES);
    }

    @GetMapping(path = "/", produces = "text/html;charset=UTF-8")
    String page() {
        return page;
    }

    @GetMapping("/live")
    LiveLoad.State look() {
        return load.look();
    }

    @PutMapping("/live")
    LiveSettings change(@RequestBody LiveSettings chosen) {
        load.change(chosen);
        return chosen;
    }

    @PostMapping("/live/two-users")
    TwoUsers.Result askAsTwoUsers() throws Exception {
        return twoUsers.ask(load.settings().mode());
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.BAD_REQUEST)
    Map<String, String> refuse(HttpMessageNotReadableException unreadable) {
        return Map.of(
                "message", String.valueOf(unreadable.getMostSpecificCause().getMessage()));
    }
}
