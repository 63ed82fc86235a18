package io.github.collapseexecutor.foreign.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.javaagent.OpenTelemetryAgent;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same clients in a JVM with OpenTelemetry's agent, which puts interceptors and trace headers of its own into each of them. */
class OpenTelemetryAgentTests {

    private static final int SEEDS = 8;
    private static final Pattern FIGURES = Pattern.compile("\\d+ requests, .*\\((\\d+) traced\\) with collapsing");

    /** What the other JVM runs. */
    static final class Main {

        private Main() {}

        public static void main(String[] arguments) throws Exception {
            ForeignClientTests tests = new ForeignClientTests();
            tests.callersGetThroughForeignLayersWhatTheyGetWithoutCollapsing(
                    ForeignClientTests.Of.valueOf(arguments[0]));
            System.exit(0); // the agent's threads go on
        }
    }

    @ParameterizedTest
    @EnumSource
    void callersGetBelowTheAgentWhatTheyGetWithoutCollapsing(ForeignClientTests.Of of, @TempDir Path folder)
            throws Exception {
        String agent = Path.of(OpenTelemetryAgent.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-javaagent:" + agent,
                "-Dotel.traces.exporter=none",
                "-Dotel.metrics.exporter=none",
                "-Dotel.logs.exporter=none",
                "-Dforeign.seeds=" + SEEDS,
                "-cp",
                System.getProperty("java.class.path").replace(agent + File.pathSeparator, ""),
                Main.class.getName(),
                of.name()));
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String told = Files.readString(output);
        assertThat(process.exitValue()).as(told).isZero();
        Matcher figures = FIGURES.matcher(told);
        assertThat(figures.find()).as(told).isTrue();
        System.out.println(of + " below the agent: " + figures.group());
        assertThat(Integer.parseInt(figures.group(1)))
                .as("requests with a trace")
                .isPositive();
    }
}
