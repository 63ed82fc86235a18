package io.github.collapseexecutor.http.feign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import feign.Client;
import feign.Request;
import feign.Response;
import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies of shared responses, as each caller reads them: whole, streamed, decoded, more than once, or none. */
@OnEachJdk
class FeignBodyTests extends FeignClientFixture {

    @Test
    void H28_everyReceiverHasAResponseOfItsOwn() throws Exception {
        Client client = collapsing();
        Request one = get("traceparent", "one");
        Request two = get("traceparent", "two");
        List<Response> responses = together(List.of(() -> execute(client, one), () -> execute(client, two)));
        assertThat(origin.requests()).hasSize(1);
        assertThat(responses.get(0).request()).isSameAs(one);
        assertThat(responses.get(1).request()).isSameAs(two);
        responses.get(0).close();
        try (Reader reader = responses.get(1).body().asReader(StandardCharsets.UTF_8)) {
            assertThat(reader.read()).isEqualTo('/');
        }
        assertThat(responses.get(1).body().isRepeatable()).isFalse();
        assertThat(responses.get(1).body().length()).isEqualTo(2);
        assertThat(FeignClients.bodyOf(responses.get(0))).isEqualTo("/a");
        assertThat(FeignClients.bodyOf(responses.get(0))).as("read once").isEmpty();
        responses.get(1).close();
        assertThat(responses.get(1).protocolVersion())
                .isEqualTo(responses.get(0).protocolVersion());
    }

    @Test
    void H38_theFirstBytesOfAnEndlessBodyComeAtOnce() throws Exception {
        origin.answer(request -> OriginReply.ok("[{\"id\":1},").stalled());
        Client client = fresh();
        Caller<String> caller = callers.start(() -> {
            InputStream body = execute(client, get()).body().asInputStream();
            return new String(body.readNBytes(10), StandardCharsets.UTF_8);
        });
        assertThat(caller.get()).isEqualTo("[{\"id\":1},");
    }

    @Test
    void H38_aCallerThatReadsTheStatusOnlyIsNotFailedByATruncatedBody() throws Exception {
        origin.answer(request -> OriginReply.ok("half").truncated());
        assertThat(statusOf(execute(fresh(), get()))).isEqualTo(200);
    }

    @Test
    void H38_aLoneCallerGetsTheResponseOfTheClientItself() throws Exception {
        List<Response> received = new ArrayList<>();
        Client watched = (request, options) -> {
            Response response = FeignClients.PLAIN.execute(request, options);
            received.add(response);
            return response;
        };
        try (Response response =
                execute(new CollapseFeignClient(watched, everything().build()), get())) {
            assertThat(response).isSameAs(received.get(0));
        }
    }

    @Test
    void H27_aResponseOverTheLimitIsStreamedAndMayBeClosedHalfRead() throws Exception {
        String body = "0123456789".repeat(200_000);
        origin.answer(request -> OriginReply.ok(body).chunked());
        Client client = new CollapseFeignClient(
                FeignClients.PLAIN, everything().maxBodySize(3).build(), IN_FLIGHT);
        try (Response response = execute(client, get())) {
            assertThat(FeignClients.bodyOf(response)).isEqualTo(body);
        }
        try (Response response = execute(client, request(origin.uri("/b").toString(), new TreeMap<>()))) {
            assertThat(response.body().length()).isNull();
            assertThat(response.body().isRepeatable()).isFalse();
            try (Reader half = response.body().asReader(StandardCharsets.UTF_8)) {
                assertThat(half.read()).isEqualTo('0');
            }
        }
    }

    @Test
    void H27_aBodyOverTheLimitThatBreaksOffFailsItsReader() throws Exception {
        origin.answer(request -> OriginReply.ok("0123456789".repeat(100_000)).truncated());
        Client client = new CollapseFeignClient(
                FeignClients.PLAIN, everything().maxBodySize(3).build(), IN_FLIGHT);
        try (Response response = execute(client, get())) {
            assertThatThrownBy(() -> FeignClients.bodyOf(response)).isInstanceOf(IOException.class);
        }
    }

    private static byte[] gzip(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    @Test
    void H29_aBodyThatTheClientHasDecodedIsShared() throws Exception {
        String text = "0123456789".repeat(1_000);
        origin.answer(request -> OriginReply.ok(gzip(text)).with("Content-Encoding", "gzip"));
        Request asked = get("Accept-Encoding", "gzip");
        String plain;
        Integer length;
        try (Response response = execute(FeignClients.PLAIN, asked)) {
            plain = response.headers().toString();
            length = response.body().length();
        }
        Client client = collapsing();
        List<Response> responses = together(List.of(() -> execute(client, asked), () -> execute(client, asked)));
        assertThat(origin.requests()).hasSize(2);
        for (Response response : responses) {
            assertThat(response.headers()).hasToString(plain);
            assertThat(response.body().length()).isEqualTo(length);
            assertThat(FeignClients.bodyOf(response)).isEqualTo(text);
        }
    }

    /** A client whose bodies are in memory. */
    private static Client buffering() {
        return (request, options) -> {
            try (Response response = FeignClients.PLAIN.execute(request, options)) {
                return response.toBuilder()
                        .body(response.body().asInputStream().readAllBytes())
                        .build();
            }
        };
    }

    private static String readTwice(Response response) throws IOException {
        try (response) {
            assertThat(response.body().isRepeatable()).isTrue();
            return FeignClients.bodyOf(response) + FeignClients.bodyOf(response);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void H39_aBodyThatCanBeReadMoreThanOnceStaysSo(boolean dryRun) throws Exception {
        CollapseRule rule = CollapseRule.of(CollapsePolicy.strict(), "/**");
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(dryRun ? rule.inDryRun(new DryRun("all")) : rule))
                .build();
        Client client = new CollapseFeignClient(buffering(), http, IN_FLIGHT);
        if (dryRun) {
            assertThat(readTwice(execute(client, get()))).isEqualTo("/a/a");
            return;
        }
        assertThat(together(List.of(() -> readTwice(execute(client, get())), () -> readTwice(execute(client, get())))))
                .containsOnly("/a/a");
        assertThat(origin.requests()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void H39_aResponseWithoutABodyStaysSo(boolean dryRun) throws Exception {
        CollapseRule rule = CollapseRule.of(CollapsePolicy.strict(), "/**");
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(dryRun ? rule.inDryRun(new DryRun("all")) : rule))
                .build();
        Client bodiless = (request, options) -> {
            try (Response response = FeignClients.PLAIN.execute(request, options)) {
                return Response.builder()
                        .status(response.status())
                        .headers(Map.of("X-Some", List.of("1")))
                        .request(request)
                        .build();
            }
        };
        Client client = new CollapseFeignClient(bodiless, http, IN_FLIGHT);
        Callable<Response> call = () -> execute(client, get());
        List<Response> responses = dryRun ? List.of(call.call()) : together(List.of(call, call));
        assertThat(responses).allSatisfy(response -> {
            assertThat(response.body()).isNull();
            assertThat(response.reason()).isNull();
            assertThat(response.headers().get("x-some")).containsExactly("1");
        });
        assertThat(origin.requests()).hasSize(1);
    }
}
