package io.github.collapseexecutor.sample.springboot.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.sample.springboot.SpringBootSampleApplication;
import io.github.collapseexecutor.spring.boot.CollapseControl;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** A visitor opens the page, and uses it; the same in every browser. */
abstract class LivePageSuite<BROWSER extends Browser> {

    static final Duration PATIENCE = Duration.ofMinutes(5);

    private static ConfigurableApplicationContext application;
    BROWSER browser;

    @BeforeAll
    static void start() {
        SpringApplication starting = new SpringApplication(SpringBootSampleApplication.class);
        starting.addInitializers(
                context -> ((GenericApplicationContext) context).registerBean(EndpointGuard.class, EndpointGuard::new));
        application = starting.run("--server.port=0", "--sample.demonstration=false");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    abstract BROWSER newBrowser();

    @BeforeEach
    void open() {
        application.getBean(LiveLoad.class).change(LiveSettings.FIRST);
        browser = newBrowser();
        browser.open(address("/"));
        eventually("the page knows the settings", () -> "100".equals(browser.text("#callers-value")));
    }

    @AfterEach
    void leave() {
        browser.close();
    }

    static String address(String path) {
        return "http://localhost:" + application.getEnvironment().getRequiredProperty("local.server.port") + path;
    }

    /** Returns a number of the page as it stands there; -1 if there is none yet. */
    final double number(String panel, String value) {
        String text = browser.text("#" + panel + " [data-value=" + value + "]");
        return text == null || !text.matches("[0-9,.]+( ms)?")
                ? -1
                : Double.parseDouble(text.replace(",", "").replace(" ms", ""));
    }

    static void eventually(String what, java.util.concurrent.Callable<Boolean> condition) {
        await(what).atMost(PATIENCE).until(condition);
    }

    private static void checkMode(Browser browser, String mode) {
        browser.click("input[name=mode][value=" + mode + "]");
    }

    @Test
    void theSameCallersMakeFewerBackendCallsWithCollapsing() {
        eventually(
                "both sides have been asked",
                () -> number("panel-without", "requestRate") > 0
                        && number("panel-with", "requestRate") > 0
                        && number("panel-with", "p99") > 0
                        && number("panel-without", "p99") > 0);
        eventually("without, each request is a call", () -> number("panel-without", "perThousand") == 1_000);
        eventually("with, most are not", () -> {
            double perThousand = number("panel-with", "perThousand");
            return perThousand > 0 && perThousand < 600;
        });
        eventually("batches are drawn", () -> browser.isShown("#panel-with .sizes li"));
        double saved = number("panel-with", "saved");
        eventually("the numbers move", () -> number("panel-with", "saved") > saved);
        assertThat(number("panel-without", "saved")).isZero();
        assertThat(number("panel-without", "wrong")).isZero();
        assertThat(number("panel-with", "wrong")).isZero();
        assertThat(browser.isShown("#problem")).as(browser.text("#problem")).isFalse();
    }

    @Test
    void theBackendHasCountedTheCallsThatThePageShows() {
        LiveBackend backend = application.getBean(LiveBackend.class);
        checkMode(browser, "in-flight");
        eventually("in flight it is", () -> mode() == LiveMode.IN_FLIGHT && number("panel-with", "perThousand") > 0);
        long calls = backend.calls(LiveSide.WITH);
        double saved = number("panel-with", "saved");
        eventually("a thousand more are saved", () -> number("panel-with", "saved") > saved + 1_000);
        assertThat(backend.calls(LiveSide.WITH) - calls)
                .as("of more than 1 000 requests")
                .isPositive()
                .isLessThan(500);
    }

    @Test
    void eachSwitchActs() {
        CollapseControl control = application.getBean(CollapseControl.class);
        checkMode(browser, "off");
        eventually(
                "the side is paused",
                () -> control.isPaused("live-fresh", 0)
                        && "Collapsing, switched off".equals(browser.text("#panel-with h2"))
                        && number("panel-with", "perThousand") == 1_000);
        checkMode(browser, "fresh");
        eventually(
                "it collapses again",
                () -> !control.isPaused("live-fresh", 0)
                        && "With collapsing, fresh".equals(browser.text("#panel-with h2"))
                        && number("panel-with", "perThousand") < 600);
        checkMode(browser, "in-flight");
        eventually(
                "calls in flight are joined",
                () -> "With collapsing, in flight".equals(browser.text("#panel-with h2"))
                        && String.valueOf(browser.text("#panel-with .groups")).endsWith(", in-flight")
                        && number("panel-with", "perThousand") > 0
                        && number("panel-with", "perThousand") < 300);
        checkMode(browser, "dry-run");
        eventually(
                "the dry run finds what would be shared, and shares nothing",
                () -> String.valueOf(browser.text("#panel-with .dry-run"))
                                .matches("Dry run: of [0-9,]+ requests, [1-9][0-9,]* would have been saved\\. Of"
                                        + " [1-9][0-9,]* responses compared, 0 differ\\.")
                        && number("panel-with", "perThousand") == 1_000);
    }

    @Test
    void eachSliderActs() {
        browser.slideDown("callers");
        eventually("callers", () -> settings().callers() == 1 && "1".equals(browser.text("#callers-value")));
        browser.slideDown("users");
        eventually("users", () -> settings().users() == 1);
        browser.slideDown("backendMillis");
        eventually(
                "time", () -> settings().backendMillis() == 0 && "0 ms".equals(browser.text("#backendMillis-value")));
        eventually("a lone caller has nobody to share with", () -> number("panel-with", "perThousand") == 1_000);
    }

    @Test
    void twoUsersAreKeptApart() {
        browser.click("#two-users");
        eventually("both are answered", () -> browser.isShown("#two-users-result li"));
        assertThat(browser.text("#two-users-result"))
                .containsPattern("Ada: 25 callers, [0-9]+ calls?, 25 × “Ada”")
                .containsPattern("Grace: 25 callers, [0-9]+ calls?, 25 × “Grace”")
                .endsWith("Wrong answers: 0");
    }

    @ParameterizedTest
    @CsvSource({
        "UNAUTHORIZED, 'actuator/collapse asks for a login. Log in, and load this page again.'",
        "REDIRECT_TO_A_LOGIN, 'actuator/collapse asks for a login. Log in, and load this page again.'",
        "NOT_EXPOSED, 'actuator/collapse answered 404. Is it exposed?'",
    })
    void whenTheEndpointCanNoLongerBeReadThePageSaysWhatToDo(EndpointGuard.Refusal refusal, String message) {
        EndpointGuard guard = application.getBean(EndpointGuard.class);
        eventually("the numbers are shown", () -> number("panel-with", "saved") > 0);
        assertThat(browser.isShown("#problem")).isFalse();
        try {
            guard.refuse(refusal);
            eventually("it says what is wrong", () -> browser.isShown("#problem"));
            assertThat(browser.text("#problem")).isEqualTo(message);
        } finally {
            guard.refuse(null);
        }
        eventually("it goes on by itself", () -> !browser.isShown("#problem"));
    }

    @Test
    void belowTheActuatorThePageShowsASectionAndSwitchesNothing() {
        eventually("there is something to show", () -> number("panel-with", "saved") > 0);
        browser.open(address("/actuator/collapsepage"));
        eventually(
                "the busiest section is shown",
                () -> String.valueOf(browser.text("#panel-section h2")).startsWith("live-")
                        && number("panel-section", "perThousand") > 0);
        assertThat(browser.isShown("#controls")).isFalse();
        assertThat(browser.isShown("#section")).isTrue();
    }

    private static LiveSettings settings() {
        return application.getBean(LiveLoad.class).settings();
    }

    private static LiveMode mode() {
        return settings().mode();
    }
}
