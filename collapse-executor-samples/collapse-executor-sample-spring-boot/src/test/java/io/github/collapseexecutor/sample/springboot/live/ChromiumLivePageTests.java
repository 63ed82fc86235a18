package io.github.collapseexecutor.sample.springboot.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/** The page in a real browser, and what only such a one shows: how it looks, and how it is used without a mouse. */
class ChromiumLivePageTests extends LivePageSuite<ChromiumBrowser> {

    /** Of a text's color on a card, as WCAG 2 defines it; AA asks for 4.5. */
    private static final String CONTRAST = """
            const light = color => {
              const hex = getComputedStyle(document.documentElement).getPropertyValue(color).trim().slice(1);
              const [r, g, b] = [0, 2, 4].map(i => parseInt(hex.slice(i, i + 2), 16) / 255)
                  .map(c => c <= 0.03928 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4));
              return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const [one, other] = [light(arguments[0]), light('--card')].sort((a, b) => b - a);
            return (one + 0.05) / (other + 0.05);
            """;

    private static final String POINTS =
            "return document.querySelector('#panel-with polyline').getAttribute('points').split(' ').length;";
    /** Half of what there is room for. */
    private static final int SHOWN_POINTS = 30;

    @Override
    ChromiumBrowser newBrowser() {
        return new ChromiumBrowser();
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void allOfItFitsOnALaptopAndCanBeRead(String scheme) throws IOException {
        browser.preferColors(scheme);
        browser.click("#two-users");
        eventually(
                "everything is drawn",
                () -> browser.isShown("#two-users-result li")
                        && browser.isShown("#panel-with .sizes li")
                        && number("panel-with", "p99") > 0
                        && number("panel-without", "p99") > 0);
        eventually("the chart has some history", () -> (Long) browser.script(POINTS) > SHOWN_POINTS);
        assertThat((Long) browser.script("return document.documentElement.scrollHeight;"))
                .isLessThanOrEqualTo(640);
        assertThat((Long) browser.script("return document.documentElement.scrollWidth;"))
                .isLessThanOrEqualTo(1280);
        for (String color : new String[] {"--text", "--soft", "--callers", "--calls", "--good", "--bad"}) {
            assertThat(((Number) browser.script(CONTRAST, color)).doubleValue())
                    .as(color + " in " + scheme)
                    .isGreaterThanOrEqualTo(4.5);
        }
        Files.write(Path.of("target", "live-page-" + scheme + ".png"), browser.screenshot());
    }

    @Test
    void everyControlHasANameAndIsReachedByTheKeyboard() {
        assertThat(browser.accessibleNames())
                .hasSize(4 + 3 + 1)
                .allSatisfy(name -> assertThat(name).isNotBlank());
        browser.press(Keys.TAB);
        assertThat(browser.script("return document.activeElement.value;")).isEqualTo("fresh");
        browser.press(Keys.ARROW_DOWN);
        eventually(
                "the arrow has chosen the next",
                () -> "With collapsing, in flight".equals(browser.text("#panel-with h2")));
        for (String id : new String[] {"callers", "users", "backendMillis", "two-users"}) {
            browser.press(Keys.TAB);
            assertThat(browser.script("return document.activeElement.id;")).isEqualTo(id);
        }
        browser.press(Keys.ENTER);
        eventually("the button acts", () -> browser.isShown("#two-users-result li"));
    }
}
