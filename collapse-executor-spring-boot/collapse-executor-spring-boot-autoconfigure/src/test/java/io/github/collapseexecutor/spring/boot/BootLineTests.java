package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachLine;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.core.SpringVersion;

@OnEachLine
class BootLineTests {

    /** The build runs the suite once for each line and says which; without this, all runs could be of one. */
    @Test
    void theSuiteRunsOnTheBootLineThatTheBuildNames() {
        String expected = System.getProperty("expected.boot.version", SpringBootVersion.getVersion());
        assertThat(SpringBootVersion.getVersion()).isEqualTo(expected);
        assertThat(SpringVersion.getVersion()).startsWith(expected.startsWith("3.5.") ? "6.2." : "7.0.");
        assertThat(sourceOf("org.springframework.web.client.RestClient")).contains("-" + SpringVersion.getVersion());
        assertThat(sourceOf("org.springframework.boot.autoconfigure.AutoConfiguration"))
                .contains("-" + expected);
    }

    private static String sourceOf(String className) {
        try {
            return Class.forName(className)
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toString();
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
