package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.CompiledAtRunTime;
import io.github.collapseexecutor.spring.boot.client.HttpServiceGroupsTests;
import io.github.collapseexecutor.spring.boot.client.ServiceGroupConfigurer;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.ClassUtils;

/** Applications whose beans were worked out ahead of time, as {@code spring-boot:process-aot} does it, on an ordinary JVM. */
class AheadOfTimeTests {

    private static final List<String> CLIENTS = List.of(
            "ofRestTemplate",
            "ofRestClient",
            "ofBuilder",
            "ofInterceptor",
            "ofRequestFactory",
            "ofWebClient",
            "ofFilter",
            "ofHttpInterface",
            "ofJdkClient",
            "ofOkHttp",
            "ofApache",
            "ofFeign",
            "ofNamedExecutor");

    private static final String REQUESTS = "seen: requests [user 1 by run 1, user 1 by run 1, user 1 by run 1]\n";

    @Test
    void theProcessedApplicationCollapsesIsMeasuredAndSwitched(@TempDir Path folder) throws Exception {
        assertThat(ProcessedApplication.output(
                        folder, classPath(), AheadOfTimeApplication.class.getName(), AheadOfTimeApplication.ARGUMENTS))
                .contains("Starting AOT-processed ")
                .contains("rest-template: restTemplate, restClient, builder collapse /user/* (strict), fresh")
                .contains(CLIENTS.stream()
                        .map(client -> "seen: calls " + client + " [Ada 1, Ada 1, Ada 1] by 1\n")
                        .toList())
                .contains("seen: batches 5\n")
                .contains("seen: saved 10.0\n")
                .contains("seen: rows 1 of 2\n")
                .contains("seen: number 41\n")
                .contains("seen: builder true\n")
                .contains("seen: names [name 7 by execution 1, name 7 by execution 1, name 7 by execution 1]\n")
                .contains("seen: lengths [3 of 3, 4 of 3, 5 of 3]\n")
                .contains("seen: endpoint true\n")
                .contains("seen: page true\n")
                .contains("seen: scrape true\n")
                .contains("seen: paused true\n");
    }

    /** With groups of HTTP services, where Spring Framework has them. */
    @Test
    void theProcessedReactiveApplicationCollapses(@TempDir Path folder) throws Exception {
        if (!ClassUtils.isPresent(ServiceGroupConfigurer.REGISTRY, null)) {
            assertThat(ProcessedApplication.output(
                            folder,
                            classPath(),
                            AheadOfTimeReactiveApplication.class.getName(),
                            AheadOfTimeReactiveApplication.ARGUMENTS))
                    .contains("Starting AOT-processed ")
                    .contains(REQUESTS);
            return;
        }
        try (CompiledAtRunTime sources = new CompiledAtRunTime(HttpServiceGroupsTests.SOURCES)) {
            List<String> arguments = new ArrayList<>(List.of(AheadOfTimeReactiveApplication.ARGUMENTS));
            arguments.add("--collapse.executor.rest-template.apply-http-service-groups=users,stock");
            arguments.add("--collapse.executor.web-client.apply-http-service-groups=reactive");
            assertThat(ProcessedApplication.output(
                            folder,
                            sources.folder() + File.pathSeparator + classPath(),
                            "sample.AheadOfTimeGroups",
                            arguments.toArray(String[]::new)))
                    .contains("Starting AOT-processed ")
                    .contains(REQUESTS)
                    .contains("seen: group [call 1, call 1, call 1]\n")
                    .contains("seen: group [call 2, call 2, call 2]\n")
                    .contains("seen: group [call 3, call 3, call 3]\n");
        }
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }
}
