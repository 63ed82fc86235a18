package io.github.collapseexecutor.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.sequence.Sequences;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the jar says of itself. */
class JarTests {

    @TempDir
    Path folder;

    @Test
    void jarIsAModuleOfAFixedName() {
        Path jar = PackedJar.of(HttpCollapseOptions.class, folder.resolve("any-name-at-all.jar"));
        List<ModuleDescriptor> modules = ModuleFinder.of(jar).findAll().stream()
                .map(ModuleReference::descriptor)
                .toList();
        assertThat(modules).singleElement().satisfies(module -> {
            assertThat(module.name()).isEqualTo("io.github.collapseexecutor.spring.boot");
            assertThat(module.packages())
                    .contains(HttpCollapseOptions.class.getPackageName(), Sequences.class.getPackageName());
        });
    }

    @Test
    void jarHoldsTheLicenseAndTheNotice() {
        Path texts = PackedJar.locationOf(HttpCollapseOptions.class).resolve("META-INF");
        assertThat(texts.resolve("LICENSE")).content().contains("Apache License");
        assertThat(texts.resolve("NOTICE")).content().startsWith("collapse-executor\n");
    }
}
