package io.github.collapseexecutor.sample.commitlog.xa;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What a kill of the process would leave of a store that is open. */
final class StoreCopy {

    private StoreCopy() {}

    /**
     * Copies the files of a store while it is not used.
     *
     * @param copy must not exist
     */
    static Path of(Path store, Path copy) throws IOException {
        try (Stream<Path> files = Files.walk(store)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(store.relativize(file).toString()));
            }
        }
        return copy;
    }
}
