package io.github.collapseexecutor.sample.springboot.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    /** What a chart is labelled with. */
    private static final String LABELS = """
        const texts = document.querySelectorAll('#' + arguments[0] + ' .timeline text');
        return Array.from(texts).map(text => text.textContent).join('; ');
        """;

    /** What makes a chart hard to read. */
    private static final String FAULTS = """
        const chart = document.querySelector('#' + arguments[0] + ' .timeline');
        const card = chart.parentElement.getBoundingClientRect();
        const boxes = Array.from(chart.querySelectorAll('text')).map(text => text.getBoundingClientRect());
        const apart = (one, other) => one.right <= other.left || other.right <= one.left
            || one.bottom <= other.top || other.bottom <= one.top;
        const matrix = chart.getScreenCTM();
        const faults = [];
        if (Math.abs(matrix.a / matrix.d - 1) > 0.01) faults.push('stretched');
        if (boxes.some(box => box.height < 11)) faults.push('too small to read');
        if (boxes.some(box => box.left < card.left || box.right > card.right)) faults.push('beside its card');
        if (boxes.some((box, i) => boxes.some((other, j) => i < j && !apart(box, other)))) faults.push('overlapping');
        if (document.documentElement.scrollWidth > innerWidth) faults.push('wider than the window');
        return faults.join(', ');
        """;

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
    void theChartSaysItsUnitAndItsTime_atEveryWidthAndInBothColors() throws IOException {
        eventually("the chart has some history", () -> (Long) browser.script(POINTS) > SHOWN_POINTS);
        for (int width : new int[] {400, 900, 1600}) {
            browser.resize(width, 900);
            for (String scheme : List.of("light", "dark")) {
                browser.preferColors(scheme);
                for (String panel : List.of("panel-without", "panel-with")) {
                    await("it is drawn for this width")
                            .atMost(PATIENCE)
                            .untilAsserted(() ->
                                    assertThat(browser.script(FAULTS, panel)).isEqualTo(""));
                    assertThat((String) browser.script(LABELS, panel))
                            .matches("0; [0-9.,]+/s; [0-9.,]+/s; 30 s ago; 20 s ago; 10 s ago; now");
                    assertThat(browser.text("#" + panel + " .hero"))
                            .matches("[0-9,]+ calls per 1,000 requests in the last 3 s");
                }
                Files.write(Path.of("target", "live-page-" + width + "-" + scheme + ".png"), browser.longScreenshot());
            }
        }
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
