package io.github.collapseexecutor.sample.rpcmerge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages say can be run is there, and does what they say. */
class DocumentedSampleTests {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final String PACKAGE = DocumentedSampleTests.class.getPackageName();
    private static final Pattern CLASS = Pattern.compile(Pattern.quote(PACKAGE) + "\\.(\\w+)");

    @ParameterizedTest
    @ValueSource(strings = {"docs/maintainers/samples.md", "docs/maintainers/rpc-merge-proofs.md"})
    void classesThatCommandsNameExist(String page) throws Exception {
        String text = Files.readString(ROOT.resolve(page));
        assertThat(text).contains("mvn -pl :collapse-executor-sample-rpc-merge -am spring-boot:run");
        List<String> names =
                CLASS.matcher(text).results().map(match -> match.group(1)).toList();
        assertThat(names).isNotEmpty();
        for (String name : names) {
            assertThat(Class.forName(PACKAGE + "." + name).getMethod("main", String[].class))
                    .isNotNull();
        }
    }

    @Test
    void optionsOfThePageAreThoseThatThereAre() throws Exception {
        String page = Files.readString(ROOT.resolve("docs/maintainers/rpc-merge.md"));
        Matcher row = Pattern.compile("(?m)^\\| `([a-z]\\w+)` \\|").matcher(page);
        List<String> documented = row.results().map(match -> match.group(1)).toList();
        assertThat(RpcOptions.Builder.class.getDeclaredMethods())
                .filteredOn(method -> method.getReturnType() == RpcOptions.Builder.class)
                .extracting("name")
                .containsExactlyInAnyOrderElementsOf(documented);
    }

    @Test
    void theSampleGetsEveryAnswerInFewerFramesThanCalls() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            RpcMergeSample.main(new String[0]);
        } finally {
            System.setOut(out);
        }
        Matcher line = Pattern.compile(
                        "64 threads made 12800 calls: (\\d+) frames of requests, (\\d+) frames of answers,"
                                + " 0 wrong answers\\s+")
                .matcher(printed.toString(StandardCharsets.UTF_8));
        assertThat(line.matches()).as(printed.toString(StandardCharsets.UTF_8)).isTrue();
        assertThat(Integer.parseInt(line.group(1))).isBetween(1, 12_799);
        assertThat(Integer.parseInt(line.group(2))).isBetween(1, 12_799);
    }
}
