package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.springframework.util.ClassUtils;

/**
 * The configuration class of the documentation, compiled on the class path that the test runs on: the import of
 * {@code RestTemplateBuilder} is another in each generation of Boot, the rest must be the same.
 */
final class DocumentedConfiguration {

    private static final List<String> BUILDERS = List.of(
            "org.springframework.boot.restclient.RestTemplateBuilder",
            "org.springframework.boot.web.client.RestTemplateBuilder");

    private static final String SOURCE = """
            package sample;

            import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
            import %s;
            import org.springframework.context.annotation.Bean;
            import org.springframework.context.annotation.Configuration;
            import org.springframework.web.client.RestTemplate;

            @Configuration
            public class SampleConfiguration {
                @Bean
                public RestTemplate restTemplate(CollapseHttpRequestInterceptor collapseHttpRequestInterceptor) {
                    return new RestTemplateBuilder()
                            .interceptors(collapseHttpRequestInterceptor)
                            .build();
                }
            }
            """;

    private static final Class<?> COMPILED = compile();

    private DocumentedConfiguration() {}

    static Class<?> compiled() {
        return COMPILED;
    }

    private static Class<?> compile() {
        ClassLoader parent = CollapseHttpRequestInterceptor.class.getClassLoader();
        String builder = BUILDERS.stream()
                .filter(name -> ClassUtils.isPresent(name, parent))
                .findFirst()
                .orElseThrow();
        try {
            Path folder = Files.createTempDirectory("collapse-executor");
            Path source = folder.resolve("SampleConfiguration.java");
            Files.writeString(source, SOURCE.formatted(builder));
            for (String file : List.of(".", "SampleConfiguration.java", "sample", "sample/SampleConfiguration.class")) {
                folder.resolve(file).normalize().toFile().deleteOnExit();
            }
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            StringWriter problems = new StringWriter();
            try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
                boolean success = compiler.getTask(
                                problems,
                                files,
                                null,
                                List.of("-proc:none", "-d", folder.toString(), "-cp", classPath()),
                                null,
                                files.getJavaFileObjects(source))
                        .call();
                assertThat(success).as(problems.toString()).isTrue();
            }
            return new URLClassLoader(new URL[] {folder.toUri().toURL()}, parent)
                    .loadClass("sample.SampleConfiguration");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    /** The class path, also where the test runner hides it in the manifest of a jar. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
