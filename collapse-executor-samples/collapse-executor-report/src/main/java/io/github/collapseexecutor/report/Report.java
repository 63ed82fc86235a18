package io.github.collapseexecutor.report;

import io.github.collapseexecutor.figures.Machine;
import io.github.collapseexecutor.figures.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Runs the programs that measure, one after another, and writes what they say to a page ({@code index.html}) and a file
 * ({@code results.json}). Fails if anything was wrong or lost, never because something was slow.
 *
 * @param parts what is measured
 * @param processes how its processes are started
 * @param out where page and file go
 * @param progress is told what happens, line by line
 */
record Report(List<Part> parts, PartProcess processes, Path out, Consumer<String> progress) {

    /**
     * Arguments: those of {@link ReportOptions}. The exit status is 1 if anything was wrong.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        ReportOptions options = ReportOptions.parse(arguments);
        Report report = new Report(
                options.form().parts(options.parts()),
                new PartProcess(options.samples(), options.out()),
                options.out(),
                System.out::println);
        System.exit(report.run("The " + options.form() + " form.") ? 0 : 1);
    }

    /** Runs all parts, writes their results, and returns whether nothing was wrong. */
    boolean run(String form) throws IOException, InterruptedException {
        Files.createDirectories(out);
        List<Section> sections = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            progress.accept(String.format(
                    Locale.ROOT,
                    "[%d/%d] %s, %s; %s left in all",
                    i + 1,
                    parts.size(),
                    part.name(),
                    words(part.expected()),
                    words(left(parts.subList(i, parts.size())))));
            sections.addAll(processes.run(part));
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        String how = form + " " + Machine.description() + ". Measured in " + words(took) + ".";
        ReportPage.write(out, how, sections);
        List<String> mistakes = sections.stream()
                .flatMap(section -> section.mistakes().stream().map(mistake -> section.title() + ": " + mistake))
                .toList();
        mistakes.forEach(mistake -> progress.accept("WRONG: " + mistake));
        progress.accept((mistakes.isEmpty() ? "Nothing was wrong or lost. " : mistakes.size() + " MISTAKES. ")
                + "Page: " + out.resolve("index.html").toAbsolutePath() + ", measured in " + words(took));
        return mistakes.isEmpty();
    }

    private static Duration left(List<Part> parts) {
        return parts.stream().map(Part::expected).reduce(Duration.ZERO, Duration::plus);
    }

    private static String words(Duration duration) {
        return duration.toSeconds() < 90
                ? duration.toSeconds() + " s"
                : Math.round(duration.toSeconds() / 60.0) + " min";
    }
}
