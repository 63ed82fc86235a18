package io.github.collapseexecutor.figures;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads files of {@code /proc} whose lines are names and values, with a colon between them. Not every system has them. */
public final class ProcFile {

    private ProcFile() {}

    /** The first value of that name; empty if the system does not tell, as of another user's process. */
    public static Optional<String> value(Path file, String name) {
        if (!Files.isReadable(file)) {
            return Optional.empty();
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.map(line -> line.split(":", 2))
                    .filter(parts -> parts.length == 2 && parts[0].strip().equals(name))
                    .map(parts -> parts[1].strip())
                    .findFirst();
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty(); // it was readable, and is not: a process has ended
        }
    }
}
