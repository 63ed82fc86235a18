package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.spring.annotation.Collapsible;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.web.client.RestTemplate;

/** An application whose beans were worked out ahead of time, as for a native image, on an ordinary JVM. */
class AheadOfTimeTests {

    private static final String[] ARGUMENTS = {
        "--collapse.executor.rest-template.apply-bean-names=restTemplate",
        "--collapse.executor.rest-template.collapse-groups[0].uris=/user/*",
        "--logging.level.io.github.collapseexecutor=info"
    };

    static class Names {

        @Collapsible
        public String name(long id) {
            return "name " + id;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    public static class Application {

        @Bean
        RestTemplate restTemplate() {
            return new RestTemplate();
        }

        @Bean
        Names names() {
            return new Names();
        }

        public static void main(String[] arguments) {
            SpringApplication application = new SpringApplication(Application.class);
            application.setWebApplicationType(WebApplicationType.NONE);
            application.setBannerMode(Banner.Mode.OFF);
            try (ConfigurableApplicationContext context = application.run(arguments)) {
                context.getBean(CollapseControl.class).pause("rest-template", 0);
                System.out.println(
                        "started with " + context.getBean(Names.class).name(7)
                                + " and " + context.getBean(CollapseControl.class).executors()
                                + ", interceptors "
                                + context.getBean(RestTemplate.class)
                                        .getInterceptors()
                                        .size());
            }
        }
    }

    @Test
    void theApplicationStartsAndCollapses(@TempDir Path folder) throws Exception {
        Path sources = Files.createDirectory(folder.resolve("sources"));
        Path classes = Files.createDirectory(folder.resolve("classes"));
        new SpringApplicationAotProcessor(
                        Application.class,
                        AbstractAotProcessor.Settings.builder()
                                .sourceOutput(sources)
                                .resourceOutput(classes)
                                .classOutput(classes)
                                .groupId("io.github.collapseexecutor")
                                .artifactId("test")
                                .build(),
                        ARGUMENTS)
                .process();
        String classPath = classes + java.io.File.pathSeparator + System.getProperty("java.class.path");
        compile(sources, classes, classPath);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dspring.aot.enabled=true",
                "-cp",
                classPath,
                Application.class.getName()));
        command.addAll(List.of(ARGUMENTS));
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(output))
                .contains("Starting AOT-processed ")
                .contains("rest-template: restTemplate collapses /user/* (strict), fresh")
                .contains("started with name 7 and [names.name], interceptors 1")
                .doesNotContain("WARN");
        assertThat(process.exitValue()).isZero();
    }

    private static void compile(Path sources, Path classes, String classPath) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("-proc:none", "-nowarn", "-parameters", "-d", classes.toString(), "-cp", classPath));
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .map(Path::toString)
                    .forEach(arguments::add);
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertThat(compiler.run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }
}
