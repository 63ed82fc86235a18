package io.github.collapseexecutor.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachJdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page that says which test proves which rule leaves out no rule, and names no test that is not there. */
@OnEachJdk
class ProofTableTests {

    private static final IntStream RULES = IntStream.rangeClosed(1, 44);

    private static final Path PAGE = Path.of("..", "..", "docs", "maintainers", "http-proofs.md");
    private static final Path MODULES = Path.of("..");
    private static final Pattern TEST_SOURCE =
            Pattern.compile(".*[/\\\\]src[/\\\\](test|testFixtures|proofs)[/\\\\].*\\.java");
    private static final Pattern NAME = Pattern.compile("`([A-Za-z0-9_]+)`");
    private static final Pattern METHOD = Pattern.compile("\\n    void ([A-Za-z0-9_]+)\\(");

    private static String page;
    private static final Set<String> CLASSES = new TreeSet<>();
    private static final Set<String> METHODS = new TreeSet<>();

    @BeforeAll
    static void read() throws IOException {
        page = Files.readString(PAGE);
        try (Stream<Path> files = Files.walk(MODULES)) {
            for (Path file : files.filter(
                            path -> TEST_SOURCE.matcher(path.toString()).matches())
                    .collect(Collectors.toList())) {
                CLASSES.add(file.getFileName().toString().replace(".java", ""));
                Matcher method = METHOD.matcher(Files.readString(file));
                while (method.find()) {
                    METHODS.add(method.group(1));
                }
            }
        }
    }

    private static List<String> rulesInRowsOf(String begin) {
        return page.lines()
                .map(Pattern.compile(begin)::matcher)
                .filter(Matcher::find)
                .map(row -> row.group(1))
                .collect(Collectors.toList());
    }

    @Test
    void everyRuleHasARowAndOneOnly() {
        assertThat(rulesInRowsOf("^\\| (H[0-9]+) \\|"))
                .isEqualTo(RULES.mapToObj(n -> "H" + n).collect(Collectors.toList()));
    }

    @Test
    void everyTestThatIsNamedIsThere() {
        Set<String> missing = new TreeSet<>();
        Matcher name = NAME.matcher(page);
        while (name.find()) {
            String named = name.group(1);
            boolean ofClass = named.endsWith("Tests") || named.endsWith("Suite");
            boolean ofMethod = named.matches("H[0-9]{2}_.*|[a-z]+([A-Z][a-z0-9]*){3,}");
            if ((ofClass && !CLASSES.contains(named)) || (ofMethod && !ofClass && !METHODS.contains(named))) {
                missing.add(named);
            }
        }
        assertThat(missing).isEmpty();
    }
}
