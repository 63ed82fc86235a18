package io.github.collapseexecutor.mutations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.collapseexecutor.gate.OnEachJdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The tests of this module notice mistakes that are made on purpose: one of them in each build, all of them with {@code -Pproofs} or
 * {@code -Dmutations=all}, one with a part of its title, none with {@code none}, as on the newest JDK. {@code -Dmutations=write} writes the tables of the pages.
 */
@OnEachJdk
class MutationTests {

    private static final String MODE = System.getProperty("mutations", "sample");

    static Stream<MutationList> lists() {
        return MutationList.all().stream();
    }

    static Stream<Mutation> all() {
        return lists().flatMap(list -> list.mutations().stream());
    }

    static Stream<Mutation> some() {
        return switch (MODE) {
            case "all" -> all();
            case "sample", "write" -> all().limit(1);
            case "none" -> Stream.empty();
            default -> all().filter(mutation -> mutation.title().contains(MODE));
        };
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyMutationFitsTheSourcesInOnePlace(Mutation mutation) {
        assertThatCode(() -> Mutant.mutated(mutation)).doesNotThrowAnyException();
    }

    @ParameterizedTest(allowZeroInvocations = true) // where another module has the one that was asked for
    @MethodSource("some")
    void theTestsNoticeTheMutation(Mutation mutation, @TempDir Path folder) throws Exception {
        assertThat(new Mutant(mutation, folder).isNoticed()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("lists")
    void thePageShowsTheMutations(MutationList list) throws IOException {
        if (MODE.equals("write")) {
            Files.writeString(list.page(), list.pageWithTable());
        }
        assertThat(Files.readString(list.page()).replace("\r\n", "\n"))
                .as("run with -Dmutations=write")
                .isEqualTo(list.pageWithTable());
    }
}
