package io.github.collapseexecutor.sample.simple;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the example prints is what the documentation says of it. */
class HundredCallersTests {

    @Test
    void asksOnceForEachCallerThenForAFewThenOnce() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            HundredCallers.main(new String[0]);
        } finally {
            System.setOut(before);
        }

        List<String> lines = printed.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lookups(lines.get(0))).isEqualTo(HundredCallers.CALLERS);
        assertThat(lookups(lines.get(1))).isBetween(1, HundredCallers.CALLERS - 1);
        assertThat(lookups(lines.get(2))).isBetween(1, HundredCallers.CALLERS - 1);
    }

    private static int lookups(String line) {
        Matcher matcher = Pattern.compile(HundredCallers.CALLERS + " callers, +(\\d+) lookups")
                .matcher(line);
        assertThat(matcher.find()).as(line).isTrue();
        return Integer.parseInt(matcher.group(1));
    }
}
