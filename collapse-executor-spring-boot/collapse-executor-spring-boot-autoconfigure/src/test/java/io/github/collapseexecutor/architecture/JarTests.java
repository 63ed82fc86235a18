package io.github.collapseexecutor.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.cluster.ClusterCalls;
import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.boot.observe.CollapseMeters;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the jars say of themselves. */
@OnEachJdk
class JarTests {

    /** The libraries, each by one of its classes. */
    enum Library {
        HTTP(HttpCollapseOptions.class, "http"),
        JDBC(GroupCommit.class, "jdbc"),
        REDIS(ClusterCalls.class, "redis"),
        SPRING(Collapsible.class, "spring"),
        AUTOCONFIGURE(CollapseMeters.class, "spring.boot.autoconfigure");

        // immutable
        private final Class<?> type;
        private final String name;

        Library(Class<?> type, String name) {
            this.type = type;
            this.name = name;
        }
    }

    @TempDir
    Path folder;

    private Path jarOf(Library library) {
        return PackedJar.of(library.type, folder.resolve("any-name-at-all.jar"));
    }

    @ParameterizedTest
    @EnumSource
    void jarIsAModuleOfAFixedName(Library library) {
        List<ModuleDescriptor> modules = ModuleFinder.of(jarOf(library)).findAll().stream()
                .map(ModuleReference::descriptor)
                .toList();
        assertThat(modules).singleElement().satisfies(module -> {
            assertThat(module.name()).isEqualTo("io.github.collapseexecutor." + library.name);
            assertThat(module.packages()).contains(library.type.getPackageName());
        });
    }

    @ParameterizedTest
    @EnumSource
    void jarHoldsTheLicenseAndTheNotice(Library library) throws IOException {
        try (JarFile jar = new JarFile(jarOf(library).toFile())) {
            assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License");
            assertThat(text(jar, "META-INF/NOTICE")).startsWith("collapse-executor\n");
        }
    }

    /** A package that says that it is internal is exported by no bundle, and each other one is. */
    @ParameterizedTest
    @EnumSource
    void jarExportsThePackagesOfUsersOnly(Library library) throws IOException {
        Path sources = Path.of("..", "collapse-executor-" + library.name.replace('.', '-'), "src", "main", "java");
        List<String> forUsers = new ArrayList<>();
        try (JarFile jar = new JarFile(jarOf(library).toFile());
                Stream<Path> files = Files.walk(sources)) {
            for (Path file :
                    files.filter(each -> each.endsWith("package-info.java")).toList()) {
                if (!Files.readString(file).contains("<p>Internal: ")) {
                    forUsers.add(sources.relativize(file).getParent().toString().replace(File.separatorChar, '.'));
                }
            }
            String exported = jar.getManifest().getMainAttributes().getValue("Export-Package");
            // outside of quotes, a comma begins the next package
            assertThat(Pattern.compile("(?:^|,)([\\w.]+)")
                            .matcher(exported.replaceAll("\"[^\"]*\"", ""))
                            .results())
                    .extracting(clause -> clause.group(1))
                    .containsExactlyInAnyOrderElementsOf(forUsers);
        }
    }

    private static String text(JarFile jar, String name) throws IOException {
        return new String(jar.getInputStream(jar.getEntry(name)).readAllBytes(), StandardCharsets.UTF_8);
    }
}
