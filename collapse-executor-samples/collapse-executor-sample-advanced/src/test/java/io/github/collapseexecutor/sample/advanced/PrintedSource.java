package io.github.collapseexecutor.sample.advanced;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles what a page prints as a reader would: with the imports put before it, and nothing else changed. */
final class PrintedSource {

    private static final String IMPORTS = Stream.of(
                    "io.github.collapseexecutor.core",
                    "io.github.collapseexecutor.sample.advanced",
                    "java.util",
                    "java.util.concurrent")
            .map(name -> "import " + name + ".*;\n")
            .collect(Collectors.joining());

    private PrintedSource() {}

    /** Compiles the text of a class without package, and returns a new instance of it. */
    static Object newInstance(Path folder, String resource, String className) throws Exception {
        Path source = folder.resolve(className + ".java");
        Files.writeString(source, IMPORTS + text(resource));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter problems = new StringWriter();
        List<String> arguments =
                List.of("-proc:none", "-encoding", "UTF-8", "-d", folder.toString(), "-cp", classPath());
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            boolean compiled = compiler.getTask(
                            problems, files, null, arguments, null, files.getJavaFileObjects(source))
                    .call();
            assertThat(compiled).as(problems.toString()).isTrue();
        }
        ClassLoader parent = PrintedSource.class.getClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, parent)) {
            return loader.loadClass(className).getConstructor().newInstance();
        }
    }

    private static String text(String resource) throws IOException {
        try (InputStream text = PrintedSource.class.getResourceAsStream("/documented/" + resource)) {
            assertThat(text).as(resource).isNotNull();
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The class path, also where the test runner hides it in the manifest of a jar. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
