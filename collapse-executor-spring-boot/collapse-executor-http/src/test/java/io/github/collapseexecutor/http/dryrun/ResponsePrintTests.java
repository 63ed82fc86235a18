package io.github.collapseexecutor.http.dryrun;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.message.HttpFields;
import io.github.collapseexecutor.http.rules.FakeResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a dry run keeps of a response, and what it compares. */
class ResponsePrintTests {

    private static final FakeResponse OK = FakeResponse.of(200);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Date",
                "Age",
                "Expires",
                "Via",
                "Connection",
                "Keep-Alive",
                "Transfer-Encoding",
                "Content-Length",
                "Set-Cookie",
                "Server",
                "Server-Timing",
                "Cache-Status",
                "X-Cache",
                "X-Cache-Hits",
                "X-Served-By",
                "X-Timer",
                "X-Runtime",
                "X-Response-Time",
                "X-Envoy-Upstream-Service-Time",
                "X-Amz-Cf-Id",
                "CF-Ray",
                "NEL",
                "Report-To",
                "Alt-Svc",
                "X-Request-Id",
                "traceparent"
            })
    void aHeaderThatDiffersByItselfIsNotCompared(String name) {
        assertThat(withHeader(name, "1").differences(withHeader(name, "2"))).isEmpty();
    }

    @Test
    void everyOtherHeaderIsCompared() {
        assertThat(withHeader("ETag", "1").differences(withHeader("ETag", "2"))).containsExactly("header etag");
        assertThat(withHeader("X-Role", "1").differences(withHeader("X-Other", "1")))
                .containsExactlyInAnyOrder("header x-role", "header x-other");
    }

    private static ResponsePrint withHeader(String name, String value) {
        return new ResponsePrint(
                200, HttpFields.copyOf(FakeResponse.of(200).with(name, value)::forEachHeader), 0, 1000);
    }

    @Test
    void headsThatDifferAreSaidThoughNoBodyWasRead() {
        ResponsePrint notFound = new ResponsePrint(404, HttpFields.copyOf(OK::forEachHeader), -1, 1000);
        notFound.ended(false);
        assertThat(notFound.differences(ended("", false))).containsExactly("status");
    }

    @Test
    void bytesBeyondTheAnnouncedLengthChangeNothing() {
        ResponsePrint print = print("abc", 3);
        print.read(ByteBuffer.wrap(new byte[] {'d'}));
        assertThat(print.differences(ended("abc", true))).isEmpty();
    }

    @Test
    void theBytesStayThoseOfTheReader() {
        ByteBuffer bytes = ByteBuffer.wrap(new byte[] {'a', 'b', 'c'});
        new ResponsePrint(200, HttpFields.copyOf(OK::forEachHeader), -1, 1000).read(bytes);
        assertThat(bytes.remaining()).isEqualTo(3);
    }

    private static ResponsePrint print(String body, long announced) {
        ResponsePrint print = new ResponsePrint(200, HttpFields.copyOf(OK::forEachHeader), announced, 1000);
        print.read(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)));
        return print;
    }

    private static ResponsePrint ended(String body, boolean complete) {
        ResponsePrint print = print(body, -1);
        print.ended(complete);
        return print;
    }

    @Test
    void aBodyOfTheAnnouncedLengthIsWholeAlthoughNobodyReadsItsEnd() {
        assertThat(print("abc", 3).whole()).isDone();
        assertThat(print("abc", 4).whole()).isNotDone();
        assertThat(new ResponsePrint(204, HttpFields.copyOf(OK::forEachHeader), 0, 1000).whole())
                .isDone();
    }

    @Test
    void bodiesThatWereNotReadToTheirEndAreComparedAsFarAsBothWereRead() {
        assertThat(ended("abc", true).differences(ended("abc", true))).isEmpty();
        assertThat(ended("abc", true).differences(ended("abd", true))).containsExactly("body");
        assertThat(ended("abc", true).differences(ended("abcd", true))).containsExactly("body");
        assertThat(ended("abc", false).differences(ended("abc", true))).isEmpty();
        assertThat(ended("abc", false).differences(ended("abd", false))).containsExactly("body");
        assertThat(ended("abc", false).differences(ended("abcd", true))).isNull();
        assertThat(ended("", false).differences(ended("", false))).isNull();
        assertThat(ended("x".repeat(1001), true).differences(ended("x".repeat(1001), true)))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100})
    void aWatchedBodyIsReadAsItIs(int chunk) throws IOException {
        ResponsePrint print = new ResponsePrint(200, HttpFields.copyOf(OK::forEachHeader), -1, 1000);
        InputStream body =
                new WatchedStream(new ByteArrayInputStream("hello world".getBytes(StandardCharsets.UTF_8)), print);
        assertThat(body.markSupported()).isFalse();
        assertThat(body.read()).isEqualTo('h');
        assertThat(body.skip(2)).isEqualTo(2);
        StringBuilder rest = new StringBuilder();
        byte[] part = new byte[chunk];
        for (int count = body.read(part); count >= 0; count = body.read(part)) {
            rest.append(new String(part, 0, count, StandardCharsets.UTF_8));
        }
        assertThat(rest).hasToString("lo world");
        assertThat(body.read()).isEqualTo(-1);
        assertThat(body.skip(1)).isZero();
        assertThat(print.differences(ended("hello world", true))).isEmpty();
    }
}
