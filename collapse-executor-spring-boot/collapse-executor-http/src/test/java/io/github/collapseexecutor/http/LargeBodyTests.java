package io.github.collapseexecutor.http;

import static io.github.collapseexecutor.http.fixture.Callers.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import feign.DefaultClient;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.feign.CollapseFeignClient;
import io.github.collapseexecutor.http.fixture.EndlessOrigin;
import io.github.collapseexecutor.http.hc5.CollapseExecChainHandler;
import io.github.collapseexecutor.http.jdk.CollapseHttpClient;
import io.github.collapseexecutor.http.okhttp.CollapseOkHttpInterceptor;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** H27 to the letter: a body of 200 MB through a heap of 64 MB, in a process of its own. */
class LargeBodyTests {

    private static final int READERS = 3;

    enum Client {
        REST_CLIENT,
        WEB_CLIENT,
        OK_HTTP,
        JDK_CLIENT,
        APACHE_CLIENT,
        FEIGN
    }

    @ParameterizedTest
    @EnumSource
    void H27_nobodyRunsOutOfMemoryAndNobodyTakesACutBodyForAWholeOne(Client client) throws Exception {
        try (EndlessOrigin origin = EndlessOrigin.start()) {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx64m",
                            // a client that logs the bodies would fill this process
                            "-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider",
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            Readers.class.getName(),
                            client.name(),
                            origin.uri("/").toString())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(output.lines().filter(line -> line.startsWith("/")))
                    .as(output)
                    .containsExactly(
                            "/whole read " + EndlessOrigin.LENGTH,
                            "/whole read " + EndlessOrigin.LENGTH,
                            "/whole read " + EndlessOrigin.LENGTH,
                            "/cut failed",
                            "/cut failed",
                            "/cut failed");
            assertThat(process.exitValue()).as(output).isZero();
        }
    }

    /** What the other process does. */
    static final class Readers {

        private static final HttpCollapseOptions HTTP = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                .build();

        private static final RestClient REST_CLIENT = RestClient.builder()
                .requestFactory(new JdkClientHttpRequestFactory())
                .requestInterceptor(new CollapseHttpRequestInterceptor(HTTP, IN_FLIGHT))
                .build();

        private static final WebClient WEB_CLIENT = WebClient.builder()
                .filter(new CollapseExchangeFilterFunction(HTTP, IN_FLIGHT))
                .build();

        private static final OkHttpClient OK_HTTP = new OkHttpClient.Builder()
                .addInterceptor(new CollapseOkHttpInterceptor(HTTP, IN_FLIGHT))
                .build();

        private static final HttpClient JDK_CLIENT =
                new CollapseHttpClient(HttpClient.newHttpClient(), HTTP, IN_FLIGHT);

        private static final CloseableHttpClient APACHE_CLIENT = HttpClients.custom()
                .addExecInterceptorBefore(
                        ChainElement.CONNECT.name(), "collapse", new CollapseExecChainHandler(HTTP, IN_FLIGHT))
                .build();

        private static final feign.Client FEIGN =
                new CollapseFeignClient(new DefaultClient(null, null), HTTP, IN_FLIGHT);

        private Readers() {}

        public static void main(String[] arguments) throws Exception {
            Client client = Client.valueOf(arguments[0]);
            ExecutorService threads = Executors.newFixedThreadPool(READERS);
            for (String path : List.of("/whole", "/cut")) {
                URI uri = URI.create(arguments[1]).resolve(path);
                Callable<Long> reading = switch (client) {
                    case REST_CLIENT -> () -> readBlocking(uri);
                    case WEB_CLIENT -> () -> readReactive(uri);
                    case OK_HTTP -> () -> readWithOkHttp(uri);
                    case JDK_CLIENT -> () -> readWithJdkClient(uri);
                    case APACHE_CLIENT -> () -> readWithApacheClient(uri);
                    case FEIGN -> () -> readWithFeign(uri);
                };
                List<Future<Long>> lengths = new ArrayList<>();
                for (int i = 0; i < READERS; i++) {
                    lengths.add(threads.submit(reading));
                }
                for (Future<Long> length : lengths) {
                    System.out.println(path + outcome(length));
                }
            }
            System.exit(0);
        }

        private static String outcome(Future<Long> length) throws InterruptedException {
            try {
                return " read " + length.get();
            } catch (java.util.concurrent.ExecutionException e) {
                Throwable root = e;
                while (root.getCause() != null) {
                    root = root.getCause();
                }
                return root instanceof IOException ? " failed" : " broke: " + root;
            }
        }

        private static long readBlocking(URI uri) {
            Long length = REST_CLIENT.get().uri(uri).exchange((request, response) -> {
                try (InputStream body = response.getBody()) {
                    return body.transferTo(OutputStream.nullOutputStream());
                }
            });
            return length == null ? -1 : length;
        }

        private static long readWithOkHttp(URI uri) throws IOException {
            Request request = new Request.Builder().url(uri.toURL()).build();
            try (Response response = OK_HTTP.newCall(request).execute()) {
                return response.body().byteStream().transferTo(OutputStream.nullOutputStream());
            }
        }

        private static long readWithJdkClient(URI uri) throws IOException, InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(uri).build();
            try (InputStream body =
                    JDK_CLIENT.send(request, BodyHandlers.ofInputStream()).body()) {
                return body.transferTo(OutputStream.nullOutputStream());
            }
        }

        private static long readWithApacheClient(URI uri) throws IOException {
            return APACHE_CLIENT.execute(
                    new HttpGet(uri),
                    response -> response.getEntity().getContent().transferTo(OutputStream.nullOutputStream()));
        }

        private static long readWithFeign(URI uri) throws IOException {
            feign.Request request = feign.Request.create(
                    feign.Request.HttpMethod.GET, uri.toString(), Map.of(), null, StandardCharsets.UTF_8, null);
            try (feign.Response response = FEIGN.execute(request, new feign.Request.Options())) {
                return response.body().asInputStream().transferTo(OutputStream.nullOutputStream());
            }
        }

        private static long readReactive(URI uri) {
            Long length = WEB_CLIENT
                    .get()
                    .uri(uri)
                    .exchangeToFlux(response -> response.bodyToFlux(DataBuffer.class))
                    .map(buffer -> {
                        long bytes = buffer.readableByteCount();
                        DataBufferUtils.release(buffer);
                        return bytes;
                    })
                    .reduce(0L, Long::sum)
                    .block();
            return length == null ? -1 : length;
        }
    }
}
