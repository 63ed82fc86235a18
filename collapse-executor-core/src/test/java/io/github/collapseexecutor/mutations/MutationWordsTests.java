package io.github.collapseexecutor.mutations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The words of a mutation name one place of the source, however it is laid out, and change nothing else. */
class MutationWordsTests {

    private static String source(String body) {
        return "class Store { Object run(Row row) { " + body + " } }";
    }

    private static String changed(String source, String member, String change) {
        return new Mutation("a title", "core.Store", member, change, List.of("core.StoreTests")).applyTo(source);
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                // the whole method
                arguments("returns true", "fill(); return row;", "return true;"),
                // something left out
                arguments("without fill()", "row.fill(); return row;", "{} return row;"),
                arguments("without if", "if (row.isFull()) { return null; } return row;", "{} return row;"),
                arguments("without assignment of open", "this.open = row; return row;", "{} return row;"),
                arguments("without isFull()", "return isOpen() && !row.isFull();", "return isOpen();"),
                arguments(
                        "without isOpen()",
                        "return (isOpen() || isFull()) && isNew();",
                        "return (isFull()) && isNew();"),
                arguments("without limit()", "return List.of(name(), limit());", "return List.of(name());"),
                arguments("without \"a\"", "return new String[] {\"a\", \"b\"};", "return new String[] {\"b\"};"),
                arguments(
                        "without RuntimeException",
                        "try { fill(); } catch (IOException | RuntimeException e) {} return row;",
                        "try { fill(); } catch (IOException e) {} return row;"),
                arguments("without limit()", "return row.copy().limit(1).build();", "return row.copy().build();"),
                arguments("without fill()", "rows.forEach(each -> each.fill());", "rows.forEach(each -> {});"),
                // something else in its place
                arguments("< becomes <=", "return size() < limit;", "return size() <= limit;"),
                arguments("isFull() becomes false", "return row.isFull();", "return false;"),
                arguments("size() becomes it - 1", "return limit * size();", "return limit * (size() - 1);"),
                arguments(
                        "\"HEAD\" becomes it, \"PUT\"",
                        "return Set.of(\"HEAD\");",
                        "return Set.of(\"HEAD\", \"PUT\");"),
                arguments("max() becomes its argument 1", "return Math.max(row.size(), 1);", "return row.size();"),
                arguments("&& becomes its isFull()", "return isOpen() && !isFull();", "return isFull();"),
                arguments("with() becomes its 2nd of()", "return with(of(1), of(2));", "return of(2);"),
                arguments("fill() becomes throw its argument 1", "fill(row);", "throw row;"),
                arguments("return becomes throw new Error()", "return row;", "throw new Error();"),
                // names of places
                arguments("new Row() becomes null", "return new Row<>(1);", "return null;"),
                arguments("::new becomes null", "return make(Row::new);", "return make(null);"),
                arguments("VARY becomes Reason.BODY", "return Reason.VARY;", "return Reason.BODY;"),
                arguments("open becomes false", "return row.open;", "return false;"),
                arguments("instanceof becomes false", "return row instanceof Entity;", "return false;"),
                arguments("?: becomes null", "return isOpen() ? row : null;", "return null;"),
                arguments("condition becomes true", "return row.a == 1 ? row : null;", "return true ? row : null;"),
                arguments("fill() becomes its receiver.open()", "row.next().fill(1);", "row.next().open();"),
                arguments("argument 2 becomes null", "return of(row, row);", "return of(row, null);"),
                arguments("operand 3 becomes true", "return a() && b() && c();", "return a() && b() && true;"),
                // one of several places
                arguments("2nd fill() becomes null", "fill(); fill();", "fill(); null;"),
                arguments("true of fill() becomes false", "open(true); fill(true);", "open(true); fill(false);"),
                arguments("argument 1 of fill() becomes 0", "fill(row, of(row));", "fill(0, of(row));"),
                arguments(
                        "condition of while becomes false", "while (a()) if (b()) c();", "while (false) if (b()) c();"),
                arguments("without if with VARY", "if (a()) { if (b()) return VARY; }", "if (a()) { {} }"),
                arguments("without add() with of()", "add(a()); add(of());", "add(a()); {}"));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void oneThingChanges(String change, String before, String after) {
        assertThat(changed(source(before), "run", change)).isEqualTo(source(after));
    }

    @Test
    void fieldsConstructorsAndNestedClassesHavePlaces() {
        String source = "class Outer { static class Store { int open = 1; Store() { open = 2; } } int open = 3; }";
        assertThat(changed(source, "open", "1 becomes 0")).isEqualTo(source.replace("1", "0"));
        assertThat(changed(source, "new", "2 becomes 0")).isEqualTo(source.replace("2", "0"));
    }

    @Test
    void localVariablesAndLayoutDoNotMatter() {
        String change = "without isFull() of return";
        assertThat(changed(source("Row old = row; return isOpen() || old.isFull();"), "run", change))
                .isEqualTo(source("Row old = row; return isOpen();"));
        assertThat(changed(
                        source("Row last = row;\n return isOpen() // maybe || so\n || last\n .isFull();"),
                        "run",
                        change))
                .isEqualTo(source("Row last = row;\n return isOpen();"));
    }

    @Test
    void severalPlacesAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> changed(source("fill(1);\nfill(2);"), "run", "without fill()"))
                .withMessage(
                        "\"a title\" in core.Store#run: \"fill()\" must be one place, but is [1: fill(1), 2: fill(2)]");
    }

    @Test
    void allNamesAreListedIfNoneFits() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> changed(source("open(this.part);"), "run", "without fill()"))
                .withMessageContaining(
                        "\"fill()\" must be one place, but is none of [Object, Row, argument 1, open(), part, this]");
    }

    @Test
    void localVariablesHaveNoNames() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> changed(source("return row;"), "run", "row becomes null"))
                .withMessageContaining("\"row\" must be one place, but is none of");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> changed(source("return 1;"), "run", "1 becomes row.size()"))
                .withMessageContaining("\"row.size()\" must not name the local variable row");
    }

    @Test
    void aMissingPartIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> changed(source("return 1;"), "walk", "1 becomes 2"))
                .withMessageContaining("core.Store#walk: there is none of that name, but [run]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> changed(source("return (1);"), "run", "without 1"))
                .withMessageContaining("(1) cannot be left out of return (1);");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> changed(source("return 1;"), "run", "1 is 2"))
                .withMessageContaining("\"1 is 2\" must be \"returns …\", \"without …\" or \"… becomes …\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Mutation.parse("a title\nin core.Store\nreturns 1\nby core.StoreTests"))
                .withMessageContaining("\"in package.Class#member\"");
    }

    @Test
    void aBlockNamesTheFileOfItsOutermostClass() {
        Mutation mutation = Mutation.parse("a title\nin core.Store.Row#run\nreturns 1\nby core.ATests, core.BTests\n");
        assertThat(mutation.file()).isEqualTo("core/Store.java");
        assertThat(mutation)
                .isEqualTo(new Mutation(
                        "a title", "core.Store.Row", "run", "returns 1", List.of("core.ATests", "core.BTests")));
    }
}
