package io.github.collapseexecutor.sample.springboot.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseBytesTests {

    private static final String SIZED = "HTTP/1.1 200 \r\nContent-Length: 3\r\nDate: today\r\n\r\n123";
    private static final String CHUNKED =
            "HTTP/1.1 404 \r\nTransfer-Encoding: chunked\r\n\r\n2\r\n12\r\n1\r\n3\r\n0\r\n\r\n";

    private final ResponseBytes response = new ResponseBytes();

    private ResponseBytes.@Nullable Complete add(String text) {
        return response.add(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }

    @ParameterizedTest
    @ValueSource(strings = {SIZED, CHUNKED})
    void aResponseIsCompleteWithItsLastByteOnly(String text) {
        for (int i = 1; i < text.length(); i++) {
            assertThat(add(text.substring(i - 1, i))).isNull();
        }
        ResponseBytes.Complete complete = add(text.substring(text.length() - 1));
        assertThat(complete).isEqualTo(new ResponseBytes.Complete(text.contains(" 200 ") ? 200 : 404, "123"));
    }

    @Test
    void responsesFollowOneAnother() {
        assertThat(add(SIZED)).isEqualTo(new ResponseBytes.Complete(200, "123"));
        assertThat(add(CHUNKED)).isEqualTo(new ResponseBytes.Complete(404, "123"));
        assertThat(add(SIZED)).isEqualTo(new ResponseBytes.Complete(200, "123"));
    }

    @ParameterizedTest
    @ValueSource(strings = {SIZED, CHUNKED})
    void bytesBehindAResponseAreRefused(String text) {
        assertThatIllegalStateException()
                .isThrownBy(() -> add(text + SIZED))
                .withMessageContaining("Behind an answer came: HTTP/1.1 200");
    }

    @Test
    void aResponseWithoutALengthIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> add("HTTP/1.1 200 \r\n\r\n"))
                .withMessageContaining("Content-Length");
    }

    @Test
    void aResponseThatIsTooLargeIsRefused() {
        String body = "1".repeat(10_000);
        assertThat(add("HTTP/1.1 200 \r\nContent-Length: 20000\r\n\r\n" + body)).isNull();
        assertThatIllegalStateException().isThrownBy(() -> add(body)).withMessageContaining("16384");
    }
}
