package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Sources of an application that only compile on the class path that a test runs on, not on the one that it is compiled on. */
final class CompiledAtRunTime implements AutoCloseable {

    // immutable
    private final Path classes;
    private final URLClassLoader loader;

    /**
     * Compiles every Java file of a folder.
     *
     * @param folder the folder of the default package
     */
    CompiledAtRunTime(Path folder) throws IOException {
        this.classes = Files.createTempDirectory("collapse-executor");
        List<Path> sources;
        try (Stream<Path> files = Files.walk(folder)) {
            sources = files.filter(file -> file.toString().endsWith(".java")).toList();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter problems = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean success = compiler.getTask(
                            problems,
                            files,
                            null,
                            List.of("-proc:none", "-parameters", "-d", classes.toString(), "-cp", classPath()),
                            null,
                            files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertThat(success).as(problems.toString()).isTrue();
        }
        this.loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, CompiledAtRunTime.class.getClassLoader());
    }

    Path folder() {
        return classes;
    }

    ClassLoader loader() {
        return loader;
    }

    Class<?> named(String name) {
        try {
            return loader.loadClass(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    /** The class path, also where the test runner hides it in the manifest of a jar. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    @Override
    public void close() throws IOException {
        loader.close();
        try (Stream<Path> files = Files.walk(classes)) {
            files.sorted(Comparator.reverseOrder()).forEach(CompiledAtRunTime::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
