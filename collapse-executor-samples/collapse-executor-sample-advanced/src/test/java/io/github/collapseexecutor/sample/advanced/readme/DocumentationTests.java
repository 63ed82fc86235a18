package io.github.collapseexecutor.sample.advanced.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/**
 * The pages say what is so: every Java, Kotlin and YAML block is, to the letter, a marked region of a file that the other tests of
 * this package, or those of the Spring Boot module, compile and run; links lead somewhere; commands and properties exist.
 */
class DocumentationTests {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final int LONGEST_EXAMPLE = 10;

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(java|kotlin|yaml)\\n(.*?)^```$");
    private static final Pattern FENCE = Pattern.compile("(?m)^ *(?:```|~~~)(.+)$");
    private static final Pattern REGION =
            Pattern.compile("(?ms)^ *(?://|#) readme:begin (\\S+)\\n(.*?)^ *(?://|#) readme:end$");
    /** Code; a drawing may speak the language of its page. */
    private static final Pattern EXAMPLE = Pattern.compile("(?ms)^(```(?!text)\\w+\\n.*?^```)$");

    private static final Pattern HEADING = Pattern.compile("(?m)^(#+) ");
    private static final Pattern TARGET = Pattern.compile("\\]\\(([^)#]+)[^)]*\\)");
    private static final Pattern PROMISE = Pattern.compile("(?m)^\\| (P[0-9]+) \\|");
    private static final Pattern LINK = Pattern.compile("(?:\\]\\(|src=\")([^)\"#]+)[^)\"]*[)\"]");
    private static final Pattern ANCHOR = Pattern.compile("\\]\\(([^)#\\s]*)#([^)]+)\\)");
    private static final Pattern TITLE = Pattern.compile("(?m)^#+ (.+)$");
    private static final Pattern ANY_BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```$");
    private static final Pattern PUBLIC_TYPE =
            Pattern.compile("(?m)^public (?:[a-z]+ |non-sealed )*(?:class|@?interface|enum|record) (\\w+)");
    private static final Path GUIDE = Path.of("docs");
    private static final Pattern COMMENT = Pattern.compile("(?s)<!--.*?-->");
    /** What stands between spaces and has a letter or a digit; code counts, the bars of tables do not. */
    private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");

    private static final Pattern MORE = Pattern.compile("(?ms)^## (?:More|更多)$(?!.*^#)");
    private static final Pattern TO_MAINTAINERS = Pattern.compile("\\]\\((?:\\.\\./)*maintainers/[^)#]*");
    private static final int MOST_WORDS = 30_000;
    private static final long MOST_WORDS_OF_A_PAGE = 2_000;
    private static final int ONE_SCREEN = 45;
    private static final int LONGEST_PAGE = 300;
    private static final int LONGEST_README = 150;
    private static final Pattern DEPENDENCY =
            Pattern.compile("<groupId>(.+)</groupId>\\s+<artifactId>(.+)</artifactId>.*\\s+<version>(.+)</version>");
    private static final Pattern PROJECT = Pattern.compile(
            "<groupId>(.+)</groupId>\\s+<artifactId>collapse-executor</artifactId>\\s+<version>(.+)</version>");
    private static final Pattern START = Pattern.compile("mvn -pl :(\\S+) -am spring-boot:run(.*(?:\\\\\\n.*)*)");
    private static final Pattern MODULES = Pattern.compile("-pl ((?::[\\w-]+,?)+)");
    private static final Pattern MAIN_CLASS = Pattern.compile("spring-boot\\.run\\.main-class[=>]([\\w.]+)");
    private static final Pattern PROPERTY = Pattern.compile("\"name\": \"(collapse\\.executor\\.[^\"]+)\"");

    static List<Path> pages() {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> doors = Files.walk(ROOT.resolve("collapse-executor-spring-boot"), 2)) {
            return Stream.of(top, docs, doors)
                    .flatMap(files -> files)
                    .filter(page -> page.toString().endsWith(".md"))
                    .map(ROOT::relativize)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyBlockIsARegionThatIsCompiledAndRun(Path page) {
        assertThat(regions().values()).containsAll(blocks(page));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void noBlockEscapesByItsLanguage(Path page) {
        assertThat(matches(FENCE, ROOT.resolve(page)).map(match -> match.group(1)))
                .isSubsetOf("java", "kotlin", "yaml", "xml", "shell", "text");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyCommandNamesModulesThatHaveSomethingToBuild(Path page) {
        assertThat(matches(MODULES, ROOT.resolve(page))
                        .flatMap(match -> Stream.of(match.group(1).split(","))))
                .allSatisfy(module -> assertThat(SourceFiles.under(ROOT))
                        .as(module)
                        .anyMatch(file -> file.endsWith(Path.of(module.substring(1), "pom.xml"))
                                && !text(file).contains("<modules>")));
    }

    @Test
    void everyRegionIsShown() {
        List<String> shown =
                pages().stream().flatMap(page -> blocks(page).stream()).toList();
        assertThat(shown).containsAll(regions().values());
    }

    @ParameterizedTest
    @MethodSource("pages")
    void examplesHaveTenLinesAtMost(Path page) {
        assertThat(blocks(page))
                .allSatisfy(block -> assertThat(block.lines().filter(line -> !line.isBlank()))
                        .hasSizeLessThanOrEqualTo(LONGEST_EXAMPLE));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkLeadsToAFile(Path page) {
        Path folder = ROOT.resolve(page).resolveSibling("");
        assertThat(matches(LINK, ROOT.resolve(page)).map(match -> match.group(1)))
                .filteredOn(link -> !link.isEmpty() && !URI.create(link).isAbsolute())
                .allSatisfy(link -> assertThat(folder.resolve(link)).exists());
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkIntoAPageLeadsToOneOfItsHeadings(Path page) {
        assertThat(matches(ANCHOR, ROOT.resolve(page)))
                .filteredOn(link -> !link.group(1).contains("://"))
                .allSatisfy(link -> {
                    Path target = ROOT.resolve(page);
                    if (!link.group(1).isEmpty()) {
                        target = target.resolveSibling(link.group(1));
                    }
                    assertThat(anchors(target)).contains(link.group(2));
                });
    }

    /** The ends of the links to a page's headings, as GitHub makes them. */
    private static List<String> anchors(Path page) {
        return TITLE.matcher(ANY_BLOCK.matcher(text(page)).replaceAll(""))
                .results()
                .map(match -> match.group(1)
                        .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                        .replace(' ', '-'))
                .toList();
    }

    /** The shelf of users in English, without its index; the other shelf is that of maintainers. */
    static List<Path> guide() {
        return pages().stream()
                .filter(page -> GUIDE.equals(page.getParent()) && !page.endsWith("README.md"))
                .toList();
    }

    @Test
    void eachShelfListsItsPagesOnOneScreen() {
        for (Path shelf : List.of(GUIDE, GUIDE.resolve("maintainers"))) {
            String index = text(ROOT.resolve(shelf).resolve("README.md"));
            assertThat(index.lines()).as("lines of %s/README.md", shelf).hasSizeLessThanOrEqualTo(ONE_SCREEN);
            assertThat(pages().stream()
                            .filter(page -> shelf.equals(page.getParent()) && !page.endsWith("README.md"))
                            .map(page -> page.getFileName().toString()))
                    .isNotEmpty()
                    .allSatisfy(page -> assertThat(index).contains("](" + page + ")"));
        }
        assertThat(text(ROOT.resolve("README.md")).lines()).hasSizeLessThanOrEqualTo(LONGEST_README);
    }

    @Test
    void theGuideIsShortEnoughToBeRead() {
        Map<String, Long> words = new TreeMap<>();
        words.put("README.md", words(GUIDE.resolve("README.md")));
        guide().forEach(page -> words.put(page.getFileName().toString(), words(page)));
        long all = words.values().stream().mapToLong(Long::longValue).sum();
        String counts = "Words of docs: " + all + " of " + MOST_WORDS + ", " + words;
        System.out.println(counts);
        assertThat(all).as(counts).isLessThanOrEqualTo(MOST_WORDS);
        assertThat(words)
                .as(counts)
                .allSatisfy((page, count) -> assertThat(count).as(page).isLessThanOrEqualTo(MOST_WORDS_OF_A_PAGE));
        assertThat(guide())
                .allSatisfy(
                        page -> assertThat(text(ROOT.resolve(page)).lines()).hasSizeLessThanOrEqualTo(LONGEST_PAGE));
    }

    private static long words(Path page) {
        return WORD.matcher(COMMENT.matcher(text(ROOT.resolve(page))).replaceAll(""))
                .results()
                .count();
    }

    /** A page of the guide may lead to the other shelf under its last heading only: nothing there is needed. */
    @Test
    void theGuideIsEnoughToUseTheLibrary() {
        assertThat(pages().stream()
                        .filter(page -> page.startsWith(GUIDE) && !page.startsWith(GUIDE.resolve("maintainers"))))
                .allSatisfy(page -> {
                    String text = text(ROOT.resolve(page));
                    Matcher more = MORE.matcher(text);
                    String needed = more.find() ? text.substring(0, more.start()) : text;
                    assertThat(TO_MAINTAINERS.matcher(needed).results().map(MatchResult::group))
                            .as("links of %s to docs/maintainers above a last heading \"## More\"", page)
                            .isSubsetOf(page.endsWith("README.md") ? List.of("](maintainers/README.md") : List.of());
                });
    }

    static List<Path> pagesInChinese() {
        return pages().stream()
                .filter(page -> page.toString().contains("zh-CN"))
                .toList();
    }

    private static Path english(Path chinese) {
        return Path.of(chinese.toString().replace("zh-CN/", "").replace(".zh-CN", ""));
    }

    @ParameterizedTest
    @MethodSource("pagesInChinese")
    void theChinesePageFollowsItsEnglishOne(Path chinese) throws Exception {
        Path english = english(chinese);
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(ROOT.resolve(english)));
        String translated =
                "<!-- English page: " + HexFormat.of().formatHex(digest).substring(0, 12) + " -->";
        assertThat(text(ROOT.resolve(chinese)).lines())
                .as(
                        "%s changed after %s: carry the change over, then have the line \"%s\" there",
                        english, chinese, translated)
                .contains(translated);
    }

    @ParameterizedTest
    @MethodSource("pagesInChinese")
    void bothLanguagesOfAPageHaveTheSameParts(Path chinese) {
        Path english = english(chinese);
        for (Pattern part : List.of(EXAMPLE, HEADING, TARGET, PROMISE)) {
            assertThat(parts(part, chinese)).as("%s", part).containsExactlyElementsOf(parts(part, english));
        }
        assertThat(parts(HEADING, chinese)).isNotEmpty();
    }

    /** What both languages of a page have, in order; a link as if both stood in one folder, and none to the other language. */
    private static List<String> parts(Pattern part, Path page) {
        String name = page.getFileName().toString().replace(".zh-CN", "");
        return matches(part, ROOT.resolve(page))
                .map(match -> match.group(1))
                .map(text -> part == TARGET
                        ? text.replace("../", "").replace("zh-CN/", "").replace(".zh-CN", "")
                        : text)
                .filter(text -> !text.equals(name))
                .toList();
    }

    @Test
    void everyReasonIsExplained() {
        String page = text(ROOT.resolve("docs/troubleshooting.md"));
        assertThat(Reason.values())
                .allSatisfy(reason -> assertThat(page)
                        .contains("`" + reason.name().toLowerCase(Locale.ROOT).replace('_', '-') + "`"));
    }

    @Test
    void everyPublicTypeHasALevelOfStability() throws IOException {
        String page = text(ROOT.resolve("docs/api-stability.md"));
        List<String> types = new ArrayList<>();
        for (String module : List.of("collapse-executor-core", "collapse-executor-spring-boot")) {
            try (Stream<Path> sources = Files.walk(ROOT.resolve(module))) {
                sources.filter(file -> file.toString().matches(".*/src/main/java/.*\\.java"))
                        .filter(file -> !isInternal(file))
                        .flatMap(file -> matches(PUBLIC_TYPE, file))
                        .forEach(match -> types.add(match.group(1)));
            }
        }
        assertThat(types).hasSizeGreaterThan(80);
        assertThat(types).allSatisfy(type -> assertThat(page).containsPattern("`" + type + "`"));
    }

    /** Whether the package of a class says so; {@code JarTests} holds that no bundle exports it then. */
    private static boolean isInternal(Path file) {
        Path information = file.resolveSibling("package-info.java");
        return Files.exists(information) && text(information).contains("<p>Internal: ");
    }

    @Test
    void workflowRunsTheCommandOfTheReadme() {
        Map<String, Object> workflow = new Yaml().load(text(ROOT.resolve(".github/workflows/build.yml")));
        assertThat(workflow).extractingByKey("jobs").asString().contains("run=mvn clean verify}", "java=[17, 25]");
    }

    @Test
    void testCommandOfTheReadmeIsTheOneThatIsRunForEveryChange() {
        assertThat(text(ROOT.resolve("README.md"))).contains("\nmvn clean verify\n");
        assertThat(text(ROOT.resolve(".ci/run"))).contains("\n  mvn clean verify <");
    }

    /** The plugin takes the only main class, or the only one that is a Spring Boot application, or the one that is named. */
    @ParameterizedTest
    @MethodSource("pages")
    void everyCommandThatStartsASampleFindsItsMainClass(Path page) throws IOException {
        for (MatchResult command : matches(START, ROOT.resolve(page)).toList()) {
            Path module = ROOT.resolve("collapse-executor-samples").resolve(command.group(1));
            Matcher named = MAIN_CLASS.matcher(command.group(2) + text(module.resolve("pom.xml")));
            List<String> mains = mainClasses(module, "static void main");
            List<String> applications = mainClasses(module, "\n@SpringBootApplication");
            if (named.find()) {
                assertThat(mains).as("%s", command.group()).contains(named.group(1));
            } else {
                assertThat(applications.isEmpty() ? mains : applications)
                        .as("%s", command.group())
                        .hasSize(1);
            }
        }
    }

    private static List<String> mainClasses(Path module, String text) throws IOException {
        Path sources = module.resolve("src/main/java");
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> text(file).contains("static void main")
                            && text(file).contains(text))
                    .map(file -> sources.relativize(file)
                            .toString()
                            .replace(".java", "")
                            .replace('/', '.'))
                    .toList();
        }
    }

    @Test
    void dependencyOfTheReadmeIsThisVersion() {
        Matcher dependency = DEPENDENCY.matcher(text(ROOT.resolve("README.md")));
        Matcher project = PROJECT.matcher(text(ROOT.resolve("pom.xml")));
        assertThat(dependency.find()).isTrue();
        assertThat(project.find()).isTrue();
        assertThat(dependency.group(1)).isEqualTo(project.group(1));
        assertThat(ROOT.resolve("collapse-executor-spring-boot")
                        .resolve(dependency.group(2))
                        .resolve("pom.xml"))
                .exists();
        assertThat(dependency.group(3)).isEqualTo(project.group(2));
    }

    @Test
    void everyPropertyIsDescribed() throws IOException {
        Enumeration<URL> metadata =
                getClass().getClassLoader().getResources("META-INF/spring-configuration-metadata.json");
        List<String> properties = new ArrayList<>();
        while (metadata.hasMoreElements()) {
            try (InputStream in = metadata.nextElement().openStream()) {
                String json = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                PROPERTY.matcher(json.substring(json.indexOf("\"properties\": [")))
                        .results()
                        .forEach(match -> properties.add(match.group(1)));
            }
        }
        assertThat(properties).contains("collapse.executor.enabled");
        String page = text(ROOT.resolve("docs/configuration.md"));
        assertThat(properties)
                .allSatisfy(property -> assertThat(page)
                        .contains("`"
                                + property.substring("collapse.executor.".length())
                                        .replaceFirst("^(rest-template|rest-client|web-client|servlet|webflux)\\.", "")
                                + "`"));
    }

    private static List<String> blocks(Path page) {
        return matches(BLOCK, ROOT.resolve(page)).map(match -> match.group(2)).toList();
    }

    private static Map<String, String> regions() {
        Map<String, String> regions = new TreeMap<>();
        Stream.of("collapse-executor-samples", "collapse-executor-spring-boot")
                .flatMap(folder -> SourceFiles.under(ROOT.resolve(folder)).stream())
                .filter(file -> file.toString().matches(".*/src/test(Fixtures)?/.*\\.(java|kt|yaml)"))
                .flatMap(file -> matches(REGION, file))
                .forEach(match -> assertThat(regions.put(
                                match.group(1), match.group(2).stripTrailing().stripIndent() + "\n"))
                        .as("a second region " + match.group(1))
                        .isNull());
        return regions;
    }

    private static Stream<MatchResult> matches(Pattern pattern, Path file) {
        return pattern.matcher(text(file)).results();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
