package io.github.collapseexecutor.sample.springboot.live;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.spring.boot.CollapseControl;
import io.github.collapseexecutor.spring.boot.CollapseSections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/**
 * A client for each way to ask the backend. Each is a section of its own in the endpoint {@code collapse}, where the page finds what
 * became of its requests. The one without collapsing is a collapsing client, too, which is paused: its requests are counted alike.
 */
@Component
class LiveClients {

    static final String WITHOUT = "live-off";

    private static final CollapseRule RULE =
            CollapseRule.of(CollapsePolicy.strict(), "/live/with/user/*", "/live/without/user/*", "/live/me");

    // immutable
    private final CollapseControl control;
    private final Environment environment;
    private final Map<String, RestClient> bySection = new HashMap<>();

    LiveClients(CollapseSections sections, CollapseControl control, Environment environment) {
        this.control = control;
        this.environment = environment;
        CollapseOptions fresh = CollapseOptions.defaults();
        CollapseOptions inFlight =
                CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build();
        add(sections, WITHOUT, RULE, fresh);
        add(sections, LiveMode.FRESH.section(), RULE, fresh);
        add(sections, LiveMode.IN_FLIGHT.section(), RULE, inFlight);
        add(sections, LiveMode.DRY_RUN.section(), RULE.inDryRun(new DryRun("the live page")), fresh);
        control.pause(WITHOUT);
    }

    private void add(CollapseSections sections, String section, CollapseRule rule, CollapseOptions core) {
        CollapseHttpRequestInterceptor interceptor = sections.add(
                section, HttpCollapseOptions.builder().rules(List.of(rule)), core, CollapseHttpRequestInterceptor::new);
        bySection.put(
                section, RestClient.builder().requestInterceptor(interceptor).build());
    }

    /** Sets the switch of the side with collapsing. */
    void take(LiveMode mode) {
        if (mode == LiveMode.OFF) {
            control.pause(mode.section());
        } else {
            control.resume(LiveMode.OFF.section());
        }
    }

    LiveUser user(LiveSide side, LiveMode mode, long id) {
        String section = side == LiveSide.WITHOUT ? WITHOUT : mode.section();
        return requireNonNull(client(section)
                .get()
                .uri(root() + "/live/{side}/user/{id}", side.word(), id)
                .retrieve()
                .body(LiveUser.class));
    }

    /** Asks who the user with these credentials is. */
    LiveUser me(LiveMode mode, String credentials) {
        return requireNonNull(client(mode.section())
                .get()
                .uri(root() + "/live/me")
                .header("Authorization", credentials)
                .retrieve()
                .body(LiveUser.class));
    }

    private RestClient client(String section) {
        return requireNonNull(bySection.get(section), section);
    }

    /** The port is known once the server is up. */
    private String root() {
        return "http://localhost:" + environment.getRequiredProperty("local.server.port");
    }
}
