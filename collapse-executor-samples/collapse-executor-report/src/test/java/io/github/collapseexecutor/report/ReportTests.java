package io.github.collapseexecutor.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.collapseexecutor.figures.FigureTable;
import io.github.collapseexecutor.figures.Section;
import io.github.collapseexecutor.figures.SectionFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The report as its command makes it, in its short form, with every program in a process of its own. */
class ReportTests {

    private static final Path SAMPLES = Path.of("..");

    /** It stays, with what each program printed. */
    private static final Path SHORT_FORM = Path.of("target", "short-report");

    private static final Pattern COMPLAINT = Pattern.compile("ERROR|WARN|Exception|first: ");
    private static final int MOST_COMPLAINTS = 10;

    /** What the page calls the result of each part. */
    private static final Map<String, String> TITLES = Map.of(
            "http", "Servlet: handler of 100 ms",
            "open-loop", "Requests at a rate",
            "storm", "A storm on a hot key",
            "group-commit", "orders of one product",
            "sequences", "Numbers of a sequence",
            "cluster", "3 instances and one hot key");

    @TempDir
    private Path folder;

    private final List<String> progress = new ArrayList<>();

    private boolean report(List<Part> parts, Path samples, Path out) throws IOException, InterruptedException {
        return new Report(parts, new PartProcess(samples, out), out, progress::add).run("A test.");
    }

    /** Measures nothing, and says so; ends with an error as a program does that misses a goal. */
    static final class Wrong {

        private Wrong() {}

        public static void main(String[] arguments) throws IOException {
            SectionFile.offer(List.of(new Section(
                    "A <program>",
                    List.of("It says: " + String.join(" ", arguments) + System.getProperty("word")),
                    List.of("<svg/>"),
                    List.of(new FigureTable(List.of("way", "figure"), List.of(List.of("off", 1.5)))),
                    List.of("an answer was wrong"))));
            System.exit(1);
        }
    }

    /** Ends without a word. */
    static final class Silent {

        private Silent() {}

        public static void main(String[] arguments) {
            System.out.println("gone");
        }
    }

    /** A folder of a sample that has been built: this module, with its tests. */
    private Path built() throws IOException {
        Path target = Files.createDirectories(folder.resolve("samples/collapse-executor-own/target"));
        Files.writeString(target.resolve("class-path.txt"), System.getProperty("java.class.path"));
        return folder.resolve("samples");
    }

    private static Part own(Class<?> program, String... arguments) {
        Part part = Part.of("own", 1, "own", "", arguments);
        return new Part(part.name(), part.expected(), part.module(), program.getName(), part.arguments());
    }

    /** What the logs that mistakes name complain of, as a build elsewhere may show no more than this test's message. */
    private static String complaints(String mistakes) throws IOException {
        StringBuilder complaints = new StringBuilder();
        for (Part part : Form.SHORT.parts()) {
            Path log = SHORT_FORM.resolve(part.name() + ".log");
            if (mistakes.contains(log.toAbsolutePath().toString())) {
                Files.readAllLines(log).stream()
                        .filter(line -> COMPLAINT.matcher(line).find())
                        .limit(MOST_COMPLAINTS)
                        .forEach(line -> complaints.append("\n").append(line));
            }
        }
        return complaints.toString();
    }

    @Test
    void theShortFormRunsAndNothingIsWrong() throws Exception {
        List<Part> parts = Form.SHORT.parts(System.getProperty("report.parts"));
        boolean right = report(parts, SAMPLES, SHORT_FORM);
        String mistakes = String.join("\n", progress.subList(parts.size(), progress.size()));
        assertThat(right).as(mistakes + complaints(mistakes)).isTrue();
        String page = Files.readString(SHORT_FORM.resolve("index.html"));
        assertThat(page).contains("<svg");
        for (Part part : parts) {
            assertThat(page).as(part.name()).contains(TITLES.get(part.name()));
        }
        JsonNode results = new ObjectMapper()
                .readTree(SHORT_FORM.resolve("results.json").toFile())
                .path("results");
        assertThat(results.size()).isGreaterThanOrEqualTo(parts.size());
        assertThat(results.findValues("mistakes")).allMatch(JsonNode::isEmpty);
        assertThat(results.findValues("rows")).noneMatch(JsonNode::isEmpty);
        assertThat(progress.get(0))
                .contains("[1/" + parts.size() + "] " + parts.get(0).name(), "left in all");
    }

    @Test
    void mistakesAreReportedAndMissedGoalsAreNot() throws Exception {
        assertThat(report(List.of(own(Wrong.class, "-Dword=!", "a", "b")), built(), folder))
                .isFalse();
        assertThat(Files.readString(folder.resolve("index.html")))
                .contains("A &lt;program>", "It says: a b!", "WRONG: an answer was wrong", "<td>1.50</td>");
        assertThat(progress)
                .contains("WRONG: A <program>: an answer was wrong; log: "
                        + folder.resolve("own.log").toAbsolutePath());
    }

    @Test
    void aProgramThatMeasuredNothingIsAMistake() throws Exception {
        assertThat(report(List.of(own(Silent.class)), built(), folder)).isFalse();
        assertThat(progress.get(1)).contains("ended with 0 and measured nothing; log: ", "own.log");
        assertThat(Files.readString(folder.resolve("index.html"))).contains("measured nothing; log: ", "own.log");
        assertThat(Files.readString(folder.resolve("own.log"))).contains("gone");
    }

    @ParameterizedTest
    @CsvSource({
        "--form=long,--form is \"long\": it must be one of short; full",
        "--from=short,\"--from=short\" is no argument: there are --form=short or full",
        "--form,--form is \"--form\""
    })
    void argumentsAreChecked(String argument, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReportOptions.parse(argument))
                .withMessageContaining(message.replace(';', ','));
    }

    @Test
    void anUnknownPartNamesThoseThereAre() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Form.FULL.parts("http,strom"))
                .withMessage(
                        "--parts holds \"strom\": the full form has http, open-loop, storm, group-commit, sequences, cluster, rows, engine");
        assertThat(Form.FULL.parts("storm, http")).extracting(Part::name).containsExactly("http", "storm");
    }

    @Test
    void aSampleThatWasNotBuiltIsSaidWithItsRemedy() {
        Path nowhere = folder.resolve("nowhere");
        assertThatThrownBy(() -> report(Form.SHORT.parts(), nowhere, folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(
                        "is missing: build the samples first, by mvn -pl :collapse-executor-report -am -DskipTests -Preport");
    }
}
