package io.github.collapseexecutor.mutations;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The mutations of a module, from the files {@code src/mutations/*.txt}. Blocks are parted by empty lines; the first block of a file is
 * a line with the page that shows the file's table.
 *
 * @param name the file's name without its ending
 * @param page the page, from the project's folder
 */
record MutationList(String name, Path page, List<Mutation> mutations) {

    private static final Path FOLDER = Path.of("src", "mutations");
    /** The folder that holds the modules of all levels. */
    static final Path PROJECT = project();

    private static Path project() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve(".mvn"))) {
            folder = Objects.requireNonNull(folder.getParent(), "no folder around this one is the project's");
        }
        return folder;
    }

    static List<MutationList> all() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .map(MutationList::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MutationList read(Path file) {
        try {
            List<String> blocks = new ArrayList<>(
                    List.of(Files.readString(file).replace("\r\n", "\n").strip().split("\n{2,}")));
            Path page = PROJECT.resolve(blocks.remove(0).strip());
            String name = file.getFileName().toString().replaceFirst("\\.txt$", "");
            return new MutationList(
                    name, page, blocks.stream().map(Mutation::parse).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The page with this list's table between its two marks. */
    String pageWithTable() {
        String begin = "<!-- mutations " + name + " -->\n";
        String end = "<!-- end of mutations " + name + " -->";
        String present = read(page, name);
        int from = present.indexOf(begin);
        int to = present.indexOf(end);
        if (from < 0 || to < from) {
            throw new IllegalStateException(page + " must have the marks " + begin.strip() + " and " + end);
        }
        return present.substring(0, from + begin.length()) + table() + present.substring(to);
    }

    private static String read(Path page, String name) {
        try {
            return Files.readString(page).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("The page of the mutations " + name, e);
        }
    }

    private String table() {
        StringBuilder table = new StringBuilder("\n| Broken on purpose | In | Noticed by |\n|---|---|---|\n");
        for (Mutation mutation : mutations) {
            table.append("| ")
                    .append(mutation.title())
                    .append(" | `")
                    .append(simpleName(mutation.file().replaceFirst("\\.java$", ""), '/'))
                    .append("` | ")
                    .append(String.join(
                            ", ",
                            mutation.tests().stream()
                                    .map(test -> "`" + simpleName(test, '.') + "`")
                                    .toList()))
                    .append(" |\n");
        }
        return table.append('\n').toString();
    }

    private static String simpleName(String name, char separator) {
        return name.substring(name.lastIndexOf(separator) + 1);
    }
}
