package io.github.collapseexecutor.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.sequence.Sequences;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the jar says of itself; it is packed here as the build packs it, because tests run before that. */
class JarTests {

    @TempDir
    Path folder;

    private static Path classes() throws URISyntaxException {
        return Path.of(HttpCollapseOptions.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }

    private Path jar() throws Exception {
        Path jar = folder.resolve("any-name-at-all.jar");
        try (InputStream manifest = Files.newInputStream(Path.of("src/main/jar/MANIFEST.MF"));
                OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest(manifest));
                Stream<Path> files = Files.walk(classes())) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(
                        classes().relativize(each).toString().replace('\\', '/')));
                Files.copy(each, out);
                out.closeEntry();
            }
        }
        return jar;
    }

    private static Manifest manifest(InputStream text) throws IOException {
        Manifest manifest = new Manifest(text);
        manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
        return manifest;
    }

    @Test
    void jarIsAModuleOfAFixedName() throws Exception {
        List<ModuleDescriptor> modules = ModuleFinder.of(jar()).findAll().stream()
                .map(ModuleReference::descriptor)
                .toList();
        assertThat(modules).singleElement().satisfies(module -> {
            assertThat(module.name()).isEqualTo("io.github.collapseexecutor.spring.boot");
            assertThat(module.packages())
                    .contains(HttpCollapseOptions.class.getPackageName(), Sequences.class.getPackageName());
        });
    }

    @Test
    void jarHoldsTheLicense() throws Exception {
        assertThat(classes().resolve("META-INF/LICENSE")).content().contains("Apache License");
    }
}
