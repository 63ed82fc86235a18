package io.github.collapseexecutor.architecture;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** A library's jar, packed here as the build packs it, because tests run before that. */
final class PackedJar {

    private PackedJar() {}

    /** Where a class of a library is: a folder of classes, or a jar where the build has packed the library already. */
    static Path locationOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Packs the library of a class. */
    static Path of(Class<?> type, Path jar) {
        Path classes = locationOf(type);
        try {
            if (Files.isRegularFile(classes)) {
                return Files.copy(classes, jar);
            }
            try (InputStream manifest = Files.newInputStream(classes.resolve("META-INF/MANIFEST.MF"));
                    OutputStream file = Files.newOutputStream(jar);
                    JarOutputStream out = new JarOutputStream(file, new Manifest(manifest));
                    Stream<Path> files = Files.walk(classes)) {
                List<Path> packed = files.filter(Files::isRegularFile)
                        .filter(each -> !each.endsWith("META-INF/MANIFEST.MF"))
                        .toList();
                for (Path each : packed) {
                    out.putNextEntry(
                            new JarEntry(classes.relativize(each).toString().replace('\\', '/')));
                    Files.copy(each, out);
                    out.closeEntry();
                }
            }
            return jar;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
