package io.github.collapseexecutor.sample.advanced.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The subject of a sentence is a thing with a name: the leader, a follower, the batch, a caller. Sources, pages and names of tests keep to that. */
class PlainLanguageTests {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    private static final Pattern HEADLESS = Pattern.compile(
            "(?i)\\b(whoever|whomever|(those|all|anybody|nobody|everybody) who|(nobody|no one|none) but)\\b");

    /** Words of the story, where the field has its own: cancelled, forwarded, alike, result, wait. */
    private static final Pattern NO_WORDS_OF_THE_FIELD = Pattern.compile(
            "(?i)\\b(called off|sent alone|of one mind|made to wait|when all is said|came to(?! the| replace))\\b");

    /** Phrases that pages and messages had, where there is a plain one: supports async dispatch, about a tenth of the call, the library counts. */
    private static final Pattern NO_RIDDLES = Pattern.compile(
            "(?i)\\b(known to bear|bears? (it|that)|a tenth of (the|a) call at most|it is counted what|nothing is paid|nothing is hidden|limits hold"
                    + "|waits? for company|has the last word"
                    + "|for which its leader's response is not)\\b");

    /** A request, a response and a result have one word each in Chinese, too. */
    private static final Pattern NO_TERMS_IN_CHINESE = Pattern.compile("答案|提问|回答");

    private static final Pattern BEGINNING =
            Pattern.compile("^[\\s*_>(\\[-]*(?:\\d+\\. )?[\\s*_(\\[]*(?:Who|Whom|What)\\b.*");
    private static final Pattern QUESTION = Pattern.compile(".*\\?[\\s*_)]*$");

    private static final Pattern HEADLESS_NAME = Pattern.compile(
            "\\bvoid ((?:[A-Z]\\d+_(?:to_)?)*(?:what(?:ever)?|who(?:ever|m|se)?)[A-Z]\\w*|\\w*(?:(?:Those|All|Nobody)Who(?![a-z])|Whoever|NobodyBut)\\w*)\\(");

    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?<=\\s)//[^\\n]*(?:\\n[ \\t]*//[^\\n]*)*");
    private static final Pattern NEXT_LINE = Pattern.compile("\\s*\\n[ \\t]*(?:\\*(?!/)|//)?[ \\t]*");
    private static final Pattern PART_OF_COMMENT =
            Pattern.compile("(?s)(?=@(?:param \\S+|return|throws \\S+)\\s)|<(?:li|p|tr|t[dh][^>]*)>|<pre>.*?</pre>");
    private static final Pattern PARTS_OF_TEXT = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```$");
    private static final Pattern PART_OF_PAGE = Pattern.compile("\\n\\s*\\n|\\n(?=\\s*(?:[|#-]|\\d+\\. ))");
    private static final Pattern END_OF_SENTENCE = Pattern.compile("(?<=[.!?])\\**\\s+");

    /** Labels in front of a paragraph, which are no sentences. */
    private static final List<String> LABELS = List.of("**What would change it.");

    @Test
    void noSentenceHasAHeadlessClause() {
        assertThat(found(file -> matches(HEADLESS, inOneLine(text(file))))).isEmpty();
    }

    @Test
    void eachThingHasTheWordOfTheField() {
        assertThat(found(file -> matches(NO_WORDS_OF_THE_FIELD, inOneLine(text(file)))))
                .isEmpty();
    }

    @Test
    void pagesMessagesAndCommentsSayItPlainly() {
        assertThat(found(file -> matches(NO_RIDDLES, wholeTexts(inOneLine(text(file))))))
                .isEmpty();
    }

    @Test
    void pagesInChineseHaveOneWordForEachThing() {
        List<Path> chinese = pages().stream()
                .filter(page -> page.toString().contains("zh-CN"))
                .toList();
        assertThat(found(chinese, file -> matches(NO_TERMS_IN_CHINESE, text(file))))
                .isEmpty();
    }

    @Test
    void noSentenceBeginsWithWhoOrWhatButQuestionsDo() {
        assertThat(found(file -> sentences(file).filter(PlainLanguageTests::isHeadless)))
                .isEmpty();
    }

    @Test
    void noNameOfATestIsHeadless() {
        assertThat(found(testFiles(), file -> matches(HEADLESS_NAME, text(file))))
                .isEmpty();
    }

    private static List<String> found(Function<Path, Stream<String>> search) {
        return found(files(), search);
    }

    /** What a search finds in the files, each with its file. */
    private static List<String> found(List<Path> files, Function<Path, Stream<String>> search) {
        return files.stream()
                .flatMap(file -> search.apply(file).map(each -> ROOT.relativize(file) + ": " + each))
                .toList();
    }

    /** Joins the parts of a text that a source puts together. */
    private static String wholeTexts(String source) {
        return PARTS_OF_TEXT.matcher(source).replaceAll("");
    }

    private static Stream<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(MatchResult::group);
    }

    private static boolean isHeadless(String sentence) {
        return BEGINNING.matcher(sentence).matches()
                && !QUESTION.matcher(sentence).matches()
                && !LABELS.contains(sentence);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/** A batch. What it throws, its caller gets. */",
                "/**\n * A batch.\n *\n * <p>What is left\n * is lost.\n */",
                "/** @param batch A batch. What is written is kept. */",
                "int first; // Who arrives late\n // waits.",
            })
    void aHeadlessCommentIsSeen(String source) {
        assertThat(sentencesOfSource(source).filter(PlainLanguageTests::isHeadless))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "A paragraph. What it says is lost., 1",
                "- What a filter adds counts., 1",
                "**What a filter adds counts**: a header., 1",
                "## What it costs, 0",
                "| What | Costs |, 0",
                "What does it cost?, 0",
            })
    void aHeadlessSentenceOfAPageIsSeen(String page, int times) {
        assertThat(sentencesOfPage(page).filter(PlainLanguageTests::isHeadless)).hasSize(times);
    }

    @ParameterizedTest
    @ValueSource(strings = {"whoLeavesTakesNobodyAlong", "H05_whatIsAddedCounts", "itIsForThoseWhoWait"})
    void aHeadlessNameIsSeen(String name) {
        assertThat(matches(HEADLESS_NAME, "void " + name + "()")).hasSize(1);
    }

    private static List<Path> testFiles() {
        List<Path> files = sources("(test|testFixtures|proofs)", "java|kt");
        assertThat(files).hasSizeGreaterThan(300);
        return files;
    }

    private static List<Path> files() {
        List<Path> files = new ArrayList<>(sources("(main|test|testFixtures|proofs|jcstress|mutations)", "java|kt"));
        files.removeIf(file -> file.endsWith("PlainLanguageTests.java")); // it has examples of what it looks for
        files.addAll(pages());
        assertThat(files).hasSizeGreaterThan(900);
        return files;
    }

    private static List<Path> pages() {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> sources(String set, String extensions) {
        return SourceFiles.under(ROOT).stream()
                .filter(file -> file.toString().matches(".*/src/" + set + "/.*\\.(" + extensions + ")"))
                .toList();
    }

    private static Stream<String> sentences(Path file) {
        return file.toString().matches(".*\\.(java|kt)") ? sentencesOfSource(text(file)) : sentencesOfPage(text(file));
    }

    /** A text without its line ends, and without what a comment has at the begin of each line. */
    private static String inOneLine(String text) {
        return NEXT_LINE.matcher(text).replaceAll(" ");
    }

    /**
     * The sentences of the comments. The first one of a Javadoc comment, or of a parameter, may be a definition without a verb: "What
     * callers submit."
     */
    private static Stream<String> sentencesOfSource(String source) {
        return COMMENT.matcher(source).results().map(MatchResult::group).flatMap(comment -> {
            String text = inOneLine(comment.replaceFirst("^(?:/\\*+|//)", "").replaceFirst("\\*/$", ""));
            Stream<String> sentences = PART_OF_COMMENT.splitAsStream(text).flatMap(PlainLanguageTests::split);
            return comment.startsWith("/**") && !text.stripLeading().startsWith("@") ? sentences.skip(1) : sentences;
        });
    }

    /** The sentences of a page's text. Headings and cells of tables are none: "What it does". */
    private static Stream<String> sentencesOfPage(String page) {
        return PART_OF_PAGE
                .splitAsStream(BLOCK.matcher(page).replaceAll(""))
                .map(String::strip)
                .filter(part -> !part.startsWith("#") && !part.startsWith("|"))
                .flatMap(part -> split(part.replace('\n', ' ')));
    }

    private static Stream<String> split(String text) {
        return END_OF_SENTENCE.splitAsStream(text.strip());
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
