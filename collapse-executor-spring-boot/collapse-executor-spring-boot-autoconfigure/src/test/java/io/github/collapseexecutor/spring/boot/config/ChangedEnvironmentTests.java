package io.github.collapseexecutor.spring.boot.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** Properties are those of the start, also where Spring Cloud binds the properties of other libraries anew. */
class ChangedEnvironmentTests {

    private static List<CollapseRule> rules(ConfigurableApplicationContext application) {
        return application
                .getBean(HttpSections.class)
                .find("rest-template")
                .http()
                .rules();
    }

    @Test
    void aChangeHasNoEffectAndAMistakeInItStopsNothing() {
        try (ConfigurableApplicationContext application = new TestApplication()
                .alone()
                .start("collapse.executor.rest-template.collapse-groups[0].uris: /user/*")) {
            CollapseExecutorProperties bound = application.getBean(CollapseExecutorProperties.class);
            List<CollapseRule> rules = rules(application);
            application
                    .getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource(
                            "changed",
                            Map.of(
                                    "collapse.executor.rest-template.collapse-groups[0].uris",
                                    "/stock/*",
                                    "collapse.executor.rest-template.fan-out-limit",
                                    "none")));
            // as Spring Cloud does with every bean of properties when EnvironmentChangeEvent comes
            AutowireCapableBeanFactory beans = application.getAutowireCapableBeanFactory();
            beans.destroyBean(bound);
            Object again =
                    beans.initializeBean(bound, application.getBeanNamesForType(CollapseExecutorProperties.class)[0]);
            assertThat(again).isSameAs(bound);
            assertThat(bound.restTemplate().collapseGroups())
                    .singleElement()
                    .satisfies(group -> assertThat(group.uris()).containsExactly("/user/*"));
            assertThat(rules(application)).isSameAs(rules);
        }
    }
}
