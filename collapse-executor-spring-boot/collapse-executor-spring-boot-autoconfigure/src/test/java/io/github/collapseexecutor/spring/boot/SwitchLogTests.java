package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestTemplate;

/** The log says when somebody switches collapsing off and on. */
@ExtendWith(OutputCaptureExtension.class)
class SwitchLogTests {

    @Configuration(proxyBeanMethods = false)
    static class Client {

        @Bean
        RestTemplate client() {
            return new RestTemplate();
        }
    }

    @Test
    void eachUseOfTheSwitchIsALine(CapturedOutput output) {
        try (ConfigurableApplicationContext context =
                new TestApplication().alone().with(Client.class).start("""
                logging.level.io.github.collapseexecutor: info
                collapse.executor.rest-template: {apply-bean-names: client, collapse-groups: [{uris: /**}]}
                """)) {
            CollapseControl control = context.getBean(CollapseControl.class);
            control.pause("rest-template");
            control.resume("rest-template");
            control.pause("rest-template", 0);
            control.resume("rest-template", 0);
        }
        assertThat(output.getOut())
                .containsOnlyOnce("Collapsing of rest-template is paused: nothing is shared until it is resumed")
                .containsOnlyOnce("Collapsing of rest-template is resumed")
                .containsOnlyOnce("Collapsing of rest-template, group 0, is paused")
                .containsOnlyOnce("Collapsing of rest-template, group 0, is resumed");
    }
}
