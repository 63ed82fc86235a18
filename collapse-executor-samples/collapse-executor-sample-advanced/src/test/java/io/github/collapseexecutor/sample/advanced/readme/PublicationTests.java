package io.github.collapseexecutor.sample.advanced.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the person who publishes has to write stands in one place, and a release refuses what stands there until then. */
class PublicationTests {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Pattern RULE = Pattern.compile("<property>(public\\.\\w+)</property>\\s+<regex>(.+)</regex>");
    private static final Pattern PROPERTY = Pattern.compile("<(public\\.\\w+)>(.+)</");

    private static String pom() throws IOException {
        return Files.readString(ROOT.resolve("pom.xml"));
    }

    /** Returns what the release asks of each property. */
    private static Map<String, Pattern> rules() throws IOException {
        return RULE.matcher(pom())
                .results()
                .collect(Collectors.toMap(rule -> rule.group(1), rule -> Pattern.compile(rule.group(2))));
    }

    private static Map<String, String> properties() throws IOException {
        return PROPERTY.matcher(pom())
                .results()
                .collect(Collectors.toMap(property -> property.group(1), property -> property.group(2)));
    }

    @Test
    void aReleaseAsksForEachPropertyOfThePublication() throws Exception {
        assertThat(rules().keySet()).containsExactlyInAnyOrder("public.address", "public.name");
        assertThat(properties()).containsOnlyKeys(rules().keySet());
    }

    @Test
    void aReleaseRefusesTheAddressOfToday() throws Exception {
        assertThat(properties().get("public.address")).doesNotMatch(rules().get("public.address"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"collapse-executor.invalid", "collapse-executor.invalid/name", "name.invalid", " "})
    void aReleaseRefusesPlaceholders(String value) throws Exception {
        assertThat(rules().values())
                .hasSize(2)
                .allSatisfy(rule -> assertThat(value).doesNotMatch(rule));
    }

    @Test
    void aReleaseTakesAnAddressAndAName() throws Exception {
        assertThat("github.com/collapseexecutor/collapse-executor").matches(rules().get("public.address"));
        assertThat("Ada Lovelace").matches(rules().get("public.name"));
    }

    @Test
    void noOtherFileHasAnAddressToReplace() throws Exception {
        List<Path> files = SourceFiles.under(ROOT).stream()
                .filter(file -> file.toString()
                        .matches(".*\\.(xml|cff|yml|yaml)|.*/CODEOWNERS|.*/\\.github/.*|" + ROOT + "/[^/]*\\.md"))
                .toList();
        assertThat(files).hasSizeGreaterThan(20);
        for (Path file : files) {
            List<String> lines = Files.readAllLines(file).stream()
                    .filter(line ->
                            Pattern.compile("\\w\\.invalid\\b").matcher(line).find())
                    .filter(line -> !line.contains("<public.address>"))
                    .toList();
            assertThat(lines).as(file.toString()).isEmpty();
        }
    }

    @Test
    void theOwnerOfTheCodeIsTheAccountOfTheNamespace() throws Exception {
        MatchResult namespace = Pattern.compile("<groupId>io\\.github\\.(\\w+)</groupId>")
                .matcher(pom())
                .results()
                .findFirst()
                .orElseThrow();
        assertThat(Files.readString(ROOT.resolve(".github/CODEOWNERS"))).contains("* @" + namespace.group(1));
    }
}
