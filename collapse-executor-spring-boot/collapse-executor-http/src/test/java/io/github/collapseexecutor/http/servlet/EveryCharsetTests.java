package io.github.collapseexecutor.http.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A long text in each charset of the JDK that can encode, some of which keep a state between two characters or begin with a mark. */
class EveryCharsetTests {

    private static final int LENGTH = 100_000;
    private static final String PATTERN = "abc Müller 日本語テキスト ｱｲｳ 中文 한국어 Привет \uD83D\uDE00 ~\\¥ ";

    /** Writes of these lengths one after another, so that a character that needs two chars is cut as well. */
    private static final int[] PARTS = {1, 7, 64, 511, 513, 8_191, 3, 20_000};

    static Stream<ServletServer.Make> servers() {
        return Arrays.stream(ServletServer.Make.values()).filter(ServersOfThisLine::include);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void H41_aLongTextIsTheSameAloneAndShared(ServletServer.Make make) throws Exception {
        String text = PATTERN.repeat(LENGTH / PATTERN.length() + 1);
        List<Charset> charsets = Charset.availableCharsets().values().stream()
                .filter(Charset::canEncode)
                .toList();
        assertThat(charsets).hasSizeGreaterThan(100);
        try (PlainAndShared server = new PlainAndShared(make)) {
            for (Charset charset : charsets) {
                PlainAndShared.Case writing = (response, seen) -> {
                    response.setContentType("text/plain");
                    response.setCharacterEncoding(charset.name());
                    PrintWriter writer = response.getWriter();
                    int next = 0;
                    for (int from = 0; from < text.length(); next++) {
                        int to = Math.min(text.length(), from + PARTS[next % PARTS.length]);
                        writer.write(text, from, to - from);
                        from = to;
                    }
                };
                String plain = server.plain(writing).clients().get(0);
                assertThat(server.alone(writing).clients().get(0).equals(plain))
                        .as("%s, alone", charset)
                        .isTrue();
                PlainAndShared.Outcome shared = server.shared(writing);
                assertThat(shared.clients().stream().allMatch(plain::equals))
                        .as("%s, shared", charset)
                        .isTrue();
                assertThat(shared.handlers()).as("%s", charset).hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void H29_aDeclaredLengthIsThatOfTheEncodedText(ServletServer.Make make) throws Exception {
        try (PlainAndShared server = new PlainAndShared(make)) {
            for (Charset charset : List.of(ISO_8859_1, UTF_8, UTF_16)) {
                byte[] encoded = "Müller".getBytes(charset);
                PlainAndShared.Outcome shared = server.shared((response, seen) -> {
                    response.setContentType("text/plain;charset=" + charset);
                    response.setContentLength(encoded.length);
                    response.getWriter().write("Müller");
                });
                assertThat(shared.handlers()).as("%s", charset).hasSize(1);
                assertThat(shared.clients()).allMatch(client -> client.endsWith(" " + new String(encoded, ISO_8859_1)));
            }
        }
    }
}
