package io.github.collapseexecutor.report;

import io.github.collapseexecutor.figures.Section;
import io.github.collapseexecutor.figures.SectionFile;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The process of a part. It runs in the folder of its sample, with the class path that the sample has for itself, and says what it
 * measured in a file; what it prints goes to another.
 *
 * @param samples the folder of the samples, which have been built
 * @param out where the files go
 */
record PartProcess(Path samples, Path out) {

    /** Many times what a part is expected to take: a machine may be slow, and a build must not hang for ever. */
    private static final int PATIENCE = 5;

    private static final Duration LEAST = Duration.ofMinutes(3);

    /**
     * Runs a part to its end. Its exit status does not matter, as some programs end with an error because of a missed goal.
     *
     * @return what it measured; a section with a mistake if it did not say so; mistakes name the file of what was printed
     */
    List<Section> run(Part part) throws IOException, InterruptedException {
        Path log = out.resolve(part.name() + ".log").toAbsolutePath();
        return measured(part, log).stream()
                .map(section -> namingLog(section, log))
                .toList();
    }

    private List<Section> measured(Part part, Path log) throws IOException, InterruptedException {
        Path sections = out.resolve(part.name() + ".json").toAbsolutePath();
        Files.deleteIfExists(sections);
        Path module = samples.resolve(part.module());
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-D" + SectionFile.PROPERTY + "=" + sections);
        command.addAll(part.options());
        command.add("-cp");
        command.add(classPath(module));
        command.add(part.main());
        command.addAll(part.programArguments());
        Process process = new ProcessBuilder(command)
                .directory(module.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Thread end = new Thread(process::destroy); // for a report that is broken off
        Runtime.getRuntime().addShutdownHook(end);
        try {
            Duration longest = part.expected().multipliedBy(PATIENCE);
            longest = longest.compareTo(LEAST) < 0 ? LEAST : longest;
            if (!process.waitFor(longest.toSeconds(), TimeUnit.SECONDS)) {
                return missing(part, "did not end within " + longest.toSeconds() + " s");
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
            Runtime.getRuntime().removeShutdownHook(end);
        }
        return Files.exists(sections)
                ? SectionFile.read(sections)
                : missing(part, "ended with " + process.exitValue() + " and measured nothing");
    }

    /** Each mistake says where to read what the part and its servers printed. */
    private static Section namingLog(Section section, Path log) {
        return new Section(
                section.title(),
                section.notes(),
                section.charts(),
                section.tables(),
                section.mistakes().stream()
                        .map(mistake -> mistake + "; log: " + log)
                        .toList());
    }

    private static List<Section> missing(Part part, String why) {
        return List.of(new Section(part.name(), List.of(), List.of(), List.of(), List.of("The program " + why)));
    }

    /**
     * The classes of a sample and what it needs.
     *
     * @throws IOException if the sample has not been built
     */
    private static String classPath(Path module) throws IOException {
        Path file = module.resolve("target").resolve("class-path.txt");
        if (!Files.exists(file)) {
            throw new IOException(
                    file.toAbsolutePath()
                            + " is missing: build the samples first, by mvn -pl :collapse-executor-report -am -DskipTests -Preport package");
        }
        return module.resolve("target").resolve("classes").toAbsolutePath()
                + File.pathSeparator
                + Files.readString(file).strip();
    }
}
