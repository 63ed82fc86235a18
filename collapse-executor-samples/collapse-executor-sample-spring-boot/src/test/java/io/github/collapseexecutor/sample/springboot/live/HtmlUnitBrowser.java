package io.github.collapseexecutor.sample.springboot.live;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.htmlunit.WebClient;
import org.htmlunit.html.DomElement;
import org.htmlunit.html.DomNode;
import org.htmlunit.html.HtmlPage;
import org.htmlunit.html.HtmlRangeInput;
import org.jspecify.annotations.Nullable;

/** A browser in this JVM. An error of the page's script fails the test. */
final class HtmlUnitBrowser implements Browser {

    /** The page's script runs on a thread of its own; a test looks between its steps. */
    private static final long STEP_MILLIS = 100;

    // immutable
    private final WebClient client = new WebClient();

    // mutable, confined to the test's thread
    private @Nullable HtmlPage page;

    HtmlUnitBrowser() {
        client.getOptions().setFetchPolyfillEnabled(true);
    }

    @Override
    public void open(String address) {
        try {
            page = client.getPage(address);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HtmlPage page() {
        client.waitForBackgroundJavaScript(STEP_MILLIS);
        return requireNonNull(page);
    }

    @Override
    public @Nullable String text(String selector) {
        DomNode found = page().querySelector(selector);
        return found == null ? null : found.getTextContent();
    }

    @Override
    public boolean isShown(String selector) {
        DomNode found = page().querySelector(selector);
        return found != null && found.isDisplayed();
    }

    @Override
    public void click(String selector) {
        try {
            DomElement element = requireNonNull(page().querySelector(selector), selector);
            element.click();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void slideDown(String id) {
        HtmlRangeInput slider = (HtmlRangeInput) page().getElementById(id);
        slider.setValue(slider.getMin());
        slider.fireEvent("input");
    }

    @Override
    public void close() {
        client.close();
    }
}
