package io.github.collapseexecutor.core;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** docs/maintainers/core-promises.md has a row for each promise of docs/core.md, and names the tests that there are, and no others. */
class CorePromisesTests {

    private static final List<Path> SOURCES =
            List.of(Path.of("src"), Path.of("..", "collapse-executor-core-proofs", "src"));
    private static final Pattern PROMISE = Pattern.compile("^\\| P([0-9]+) \\| ([A-Z].*)", Pattern.MULTILINE);
    private static final Pattern ROW = Pattern.compile("^\\| P([0-9]+) \\|([^|]*)\\|([^|]*)\\|$", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("`([A-Za-z0-9.]+)`");
    private static final Pattern NUMBERED_TEST = Pattern.compile("\\n    void P([0-9]{2})_[A-Za-z0-9_]+\\(");
    private static final Pattern CLASS =
            Pattern.compile("\\n(    public static |public )?(final )?class ([A-Za-z0-9]+)");

    private static final List<Integer> PROMISES = new ArrayList<>();
    private static final List<Integer> ROWS = new ArrayList<>();
    /** What the page names for each promise: classes of tests by example, then proofs. */
    private static final Map<Integer, Set<String>> TESTS = new TreeMap<>();

    private static final Map<Integer, Set<String>> PROOFS = new TreeMap<>();
    /** The classes that have tests of the number of each promise. */
    private static final Map<Integer, Set<String>> NUMBERED = new TreeMap<>();

    private static final Set<String> CLASSES = new TreeSet<>();

    @BeforeAll
    static void read() throws IOException {
        Matcher promise = PROMISE.matcher(Files.readString(Path.of("..", "docs", "core.md")));
        while (promise.find()) {
            PROMISES.add(Integer.valueOf(promise.group(1)));
        }
        Matcher row = ROW.matcher(Files.readString(Path.of("..", "docs", "maintainers", "core-promises.md")));
        while (row.find()) {
            int number = Integer.parseInt(row.group(1));
            ROWS.add(number);
            TESTS.put(number, namesIn(row.group(2)));
            PROOFS.put(number, namesIn(row.group(3)));
        }
        for (Path folder : SOURCES) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file :
                        (Iterable<Path>) files.filter(each -> each.toString().endsWith(".java"))::iterator) {
                    readTests(file.getFileName().toString().replace(".java", ""), Files.readString(file));
                }
            }
        }
    }

    private static Set<String> namesIn(String cell) {
        return NAME.matcher(cell).results().map(name -> name.group(1)).collect(toCollection(TreeSet::new));
    }

    private static void readTests(String file, String source) {
        CLASSES.add(file);
        Matcher inner = CLASS.matcher(source);
        while (inner.find()) {
            CLASSES.add(file + "." + inner.group(3));
        }
        Matcher test = NUMBERED_TEST.matcher(source);
        while (test.find()) {
            NUMBERED.computeIfAbsent(Integer.valueOf(test.group(1)), none -> new TreeSet<>())
                    .add(file);
        }
    }

    @Test
    void everyPromiseOfTheGuideHasOneRow() {
        assertThat(PROMISES).isNotEmpty().doesNotHaveDuplicates();
        assertThat(ROWS).isEqualTo(PROMISES);
    }

    @Test
    void aRowNamesTheClassesThatHaveTestsOfItsNumberAndNoOthers() {
        Map<Integer, Set<String>> named = new TreeMap<>(TESTS);
        named.values().removeIf(Set::isEmpty);
        assertThat(named).isEqualTo(NUMBERED);
    }

    @Test
    void everyPromiseHasATestOrAProofAndEveryProofIsThere() {
        assertThat(ROWS).allSatisfy(number -> {
            assertThat(TESTS.get(number).isEmpty() && PROOFS.get(number).isEmpty())
                    .isFalse();
            assertThat(CLASSES).containsAll(PROOFS.get(number));
        });
    }
}
