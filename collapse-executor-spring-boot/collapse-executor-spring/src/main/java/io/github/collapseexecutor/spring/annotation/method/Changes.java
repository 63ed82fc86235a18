package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.InvalidOptionException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * What an annotation says of its executor.
 *
 * @param name the executor's name
 * @param options what it sets
 */
record Changes(String name, Consumer<CollapseOptions.Builder> options) {

    /**
     * Reads what both annotations have.
     *
     * @param placeholders replaces placeholders
     */
    static Changes of(AnnotatedMethod method, String name, String timeout, UnaryOperator<String> placeholders) {
        String given = placeholders.apply(name);
        Changes named = new Changes(given.isBlank() ? method.defaultName() : given, options -> {});
        String written = placeholders.apply(timeout);
        return written.isBlank() ? named : named.withTimeout(method, written);
    }

    private Changes withTimeout(AnnotatedMethod method, String written) {
        try {
            Duration timeout = DurationFormatterUtils.detectAndParse(written);
            CollapseOptions.Builder unused = CollapseOptions.builder().callTimeout(timeout);
            return and(options -> options.callTimeout(timeout));
        } catch (InvalidOptionException e) {
            throw method.refused("timeout = \"" + written + "\": " + e.requirement(), "Give a positive duration.", e);
        } catch (IllegalArgumentException e) {
            throw method.refused(
                    "timeout = \"" + written + "\" is no duration", "Write a duration as 500ms, 2s or PT2S.", e);
        }
    }

    Changes and(Consumer<CollapseOptions.Builder> more) {
        return new Changes(name, options.andThen(more));
    }
}
