package io.github.collapseexecutor.sample.springboot.live;

import java.io.File;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** A real browser: Debian's packages chromium and chromium-driver, or what these system properties name. */
final class ChromiumBrowser implements Browser {

    private static final String CHROMIUM = System.getProperty("chromium", "/usr/bin/chromium");
    private static final String CHROMEDRIVER = System.getProperty("chromedriver", "/usr/bin/chromedriver");

    // immutable
    private final ChromeDriver driver;

    /** Creates a window whose inside is that of a small laptop's browser. */
    ChromiumBrowser() {
        for (String needed : List.of(CHROMIUM, CHROMEDRIVER)) {
            if (!new File(needed).canExecute()) {
                throw new IllegalStateException("There is no " + needed
                        + ": install chromium and chromium-driver, or name them by -Dchromium=… and -Dchromedriver=…");
            }
        }
        ChromeOptions options = new ChromeOptions();
        options.setBinary(CHROMIUM);
        options.addArguments(
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars");
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(new File(CHROMEDRIVER))
                        .build(),
                options);
        resize(1280, 640);
    }

    /** Gives the window's inside another size, in pixels. */
    void resize(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    @Override
    public void open(String address) {
        driver.get(address);
    }

    @Override
    public @Nullable String text(String selector) {
        return (String) driver.executeScript(
                "const found = document.querySelector(arguments[0]); return found ? found.textContent : null;",
                selector);
    }

    @Override
    public boolean isShown(String selector) {
        return (Boolean) script(
                "const found = document.querySelector(arguments[0]); return Boolean(found && found.checkVisibility());",
                selector);
    }

    @Override
    public void click(String selector) {
        driver.findElement(By.cssSelector(selector)).click();
    }

    /** By keyboard. */
    @Override
    public void slideDown(String id) {
        press(id, Keys.HOME);
    }

    void press(String id, CharSequence key) {
        driver.findElement(By.id(id)).sendKeys(key);
    }

    /** Presses a key where the focus is. */
    void press(CharSequence key) {
        driver.switchTo().activeElement().sendKeys(key);
    }

    Object script(String script, Object... arguments) {
        Object result = driver.executeScript(script, arguments);
        return result == null ? "nothing" : result;
    }

    /** Returns what a screen reader calls each control, in the order in which the tabulator key reaches them. */
    List<String> accessibleNames() {
        return driver.findElements(By.cssSelector("input, select, button")).stream()
                .filter(WebElement::isDisplayed)
                .map(WebElement::getAccessibleName)
                .toList();
    }

    void preferColors(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    byte[] screenshot() {
        return driver.getScreenshotAs(OutputType.BYTES);
    }

    /** Of all of the page, also of what is below the window. */
    byte[] longScreenshot() {
        Object data = driver.executeCdpCommand("Page.captureScreenshot", Map.of("captureBeyondViewport", true))
                .get("data");
        return Base64.getDecoder().decode(String.valueOf(data));
    }

    @Override
    public void close() {
        driver.quit();
    }
}
