package io.github.collapseexecutor.spring.boot.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.RequestEntity;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestTemplate;

/** Why requests are not collapsed, in the log at DEBUG. */
@ExtendWith(OutputCaptureExtension.class)
class ReasonLogTests {

    private static final CollapseRule USERS = CollapseRule.of(CollapsePolicy.strict(), "/user/*");
    private static final URI ADDRESS = URI.create("http://host/user/2%0AWARN?token=secret");

    @Configuration(proxyBeanMethods = false)
    static class Client {

        @Bean
        RestTemplate client() {
            return new RestTemplate();
        }
    }

    private static void tell(String level) {
        try (ConfigurableApplicationContext application = new TestApplication()
                .with(Client.class)
                .arguments("--logging.level.io.github.collapseexecutor=" + level)
                .start("""
                    collapse.executor.rest-template:
                      apply-bean-names: client
                      collapse-groups:
                        - uris: /user/*
                    """)) {
            RequestEntity<Void> range = RequestEntity.get("http://localhost:1/user/2?token=secret")
                    .header("Range", "bytes=0-1")
                    .build();
            assertThatThrownBy(() -> application.getBean(RestTemplate.class).exchange(range, String.class))
                    .as("nobody is there; but it was sent")
                    .isInstanceOf(ResourceAccessException.class);
            ReasonLog log = application.getBean(ReasonLog.class);
            log.requestNotCollapsed(USERS, Reason.CREDENTIALS, "GET", ADDRESS);
            log.requestNotCollapsed(null, Reason.NOT_CONFIGURED, "GET", URI.create("http://host/other"));
            log.responseNotShared(USERS, Reason.SET_COOKIE, "GET", ADDRESS);
        }
    }

    @Test
    void theReasonIsSaidAtDebugOfRequestsOfAGroup(CapturedOutput output) {
        tell("debug");
        List<String> lines = output.getAll()
                .lines()
                .filter(line -> line.contains(" DEBUG ") && line.contains("ReasonLog"))
                .map(line -> line.substring(line.indexOf(" : ") + 3))
                .toList();
        assertThat(lines)
                .containsExactly(
                        "GET /user/2 of group [/user/*] is not collapsed: range",
                        "GET /user/2%0AWARN of group [/user/*] is not collapsed: credentials",
                        "The response to GET /user/2%0AWARN of group [/user/*] is not shared: set-cookie");
    }

    @Test
    void H33_nothingOfARequestIsInTheLogAboveDebug(CapturedOutput output) {
        tell("info");
        assertThat(output.getAll()).doesNotContain("/user/2", "secret");
    }
}
