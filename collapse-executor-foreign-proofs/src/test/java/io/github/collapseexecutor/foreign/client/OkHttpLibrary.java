package io.github.collapseexecutor.foreign.client;

import io.github.collapseexecutor.foreign.client.Question.Reading;
import io.github.collapseexecutor.http.okhttp.CollapseOkHttpInterceptor;
import io.micrometer.core.instrument.binder.okhttp3.OkHttpMetricsEventListener;
import io.micrometer.core.instrument.binder.okhttp3.OkHttpObservationInterceptor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import okhttp3.Cache;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.brotli.BrotliInterceptor;
import okhttp3.logging.HttpLoggingInterceptor;
import org.springframework.util.FileSystemUtils;

/** OkHttp, by {@code execute} and by {@code enqueue}, with interceptors on both sides of the adapter. */
final class OkHttpLibrary implements Library {

    private static final int CONNECTIONS = 100;

    private static final List<Layer<OkHttpClient.Builder>> LAYERS = List.of(
            new Layer<>("logging", builder -> builder.addInterceptor(logging())),
            new Layer<>("logging of the network", builder -> builder.addNetworkInterceptor(logging())),
            new Layer<>("brotli", builder -> builder.addInterceptor(BrotliInterceptor.INSTANCE)),
            new Layer<>("observed", builder -> builder.addInterceptor(observing())),
            new Layer<>("observed on the network", builder -> builder.addNetworkInterceptor(observing())),
            new Layer<>(
                    "measured",
                    builder ->
                            builder.eventListener(OkHttpMetricsEventListener.builder(new SimpleMeterRegistry(), "calls")
                                    .build())),
            new Layer<>("retry of resilience4j", builder -> builder.addInterceptor(OkHttpLibrary::retried)));

    private static HttpLoggingInterceptor logging() {
        return new HttpLoggingInterceptor(line -> {}).setLevel(HttpLoggingInterceptor.Level.BODY);
    }

    private static Interceptor observing() {
        return OkHttpObservationInterceptor.builder(ObservationRegistry.create(), "calls")
                .build();
    }

    private static Response retried(Interceptor.Chain chain) throws IOException {
        try {
            return Resilience.retry().executeCheckedSupplier(() -> chain.proceed(chain.request()));
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Asker make(Draw draw) throws IOException {
        Closing closing = new Closing();
        boolean enqueues = draw.oneOf(2, "enqueued");
        return new OfOkHttp(client(draw, closing), enqueues, closing);
    }

    static OkHttpClient client(Draw draw, Closing closing) throws IOException {
        OkHttpClient.Builder builder = new OkHttpClient.Builder();
        boolean harmless = draw.oneOf(2, "declared harmless");
        if (draw.oneOf(3, "cache")) {
            Path folder = Files.createTempDirectory("okhttp");
            File file = folder.toFile();
            closing.add(() -> FileSystemUtils.deleteRecursively(file));
            builder.cache(new Cache(file, 10_000_000));
        }
        draw.layers("in front", LAYERS).forEach(layer -> layer.add().accept(builder));
        CollapseOkHttpInterceptor ours = new CollapseOkHttpInterceptor(draw.http(), draw.core());
        if (draw.collapses()) {
            builder.addInterceptor(harmless ? ours.withHarmless(behind -> true) : ours);
        }
        draw.layers("behind", LAYERS).forEach(layer -> layer.add().accept(builder));
        OkHttpClient client = builder.build();
        client.dispatcher().setMaxRequestsPerHost(CONNECTIONS);
        closing.counting(() -> client.connectionPool().connectionCount()
                - client.connectionPool().idleConnectionCount());
        closing.add(() -> {
            client.dispatcher().executorService().shutdown();
            client.connectionPool().evictAll();
        });
        return client;
    }

    private record OfOkHttp(OkHttpClient client, boolean enqueues, Closing closing) implements Asker {

        @Override
        public void ask(URI uri, Reply reply) throws Exception {
            Call call = client.newCall(new Request.Builder()
                    .url(uri.toString())
                    .header("Authorization", "Bearer " + reply.question().user())
                    .build());
            try (Response response = enqueues ? enqueued(call) : call.execute()) {
                reply.status(response.code());
                response.headers().forEach(header -> reply.header(header.getFirst(), header.getSecond()));
                if (reply.question().reading() == Reading.TEXT) {
                    reply.text(response.body().string());
                } else if (!reply.hasEnough()) {
                    reply.read(response.body().byteStream());
                }
            }
        }

        private static Response enqueued(Call call) throws Exception {
            CompletableFuture<Response> answer = new CompletableFuture<>();
            call.enqueue(new Callback() {
                @Override
                public void onFailure(Call failed, IOException e) {
                    answer.completeExceptionally(e);
                }

                @Override
                public void onResponse(Call answered, Response response) {
                    answer.complete(response);
                }
            });
            try {
                return answer.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }

        @Override
        public int connectionsInUse() {
            return closing.inUse();
        }

        @Override
        public void close() {
            closing.close();
        }
    }
}
