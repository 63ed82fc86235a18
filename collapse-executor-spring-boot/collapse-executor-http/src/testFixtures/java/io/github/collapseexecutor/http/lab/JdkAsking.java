package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.jdk.CollapseHttpClient;
import io.github.collapseexecutor.http.lab.LabCall.Reading;
import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/** The JDK's client, by {@code send} and by {@code sendAsync}. */
final class JdkAsking {

    /**
     * How a caller reads.
     *
     * @param take gives the body to the reply
     */
    private record Reader<T>(BodyHandler<T> handler, Taking<T> take) {

        private interface Taking<T> {
            void take(@Nullable T body, ClientReply reply) throws IOException;
        }

        void send(HttpClient client, HttpRequest request, ClientReply reply) throws IOException, InterruptedException {
            show(client.send(request, handler), reply);
        }

        void show(HttpResponse<T> response, ClientReply reply) throws IOException {
            reply.status(response.statusCode(), response.version().name());
            response.headers().map().forEach((name, values) -> values.forEach(value -> reply.header(name, value)));
            reply.shows("address", response.uri());
            reply.shows("request", response.request());
            reply.shows("before", response.previousResponse().map(HttpResponse::statusCode));
            take.take(response.body(), reply);
        }
    }

    private JdkAsking() {}

    private static Reader<?> reader(Reading reading) {
        return switch (reading) {
            case WHOLE -> new Reader<>(BodyHandlers.ofByteArray(), (body, reply) -> reply.bytes(body));
            case TEXT -> new Reader<>(BodyHandlers.ofString(), (body, reply) -> reply.text(body));
            case HEAD -> new Reader<>(BodyHandlers.discarding(), (body, reply) -> {});
            case BEGINNING ->
                new Reader<>(BodyHandlers.ofInputStream(), (InputStream body, ClientReply reply) -> {
                    try (body) {
                        reply.read(body);
                    }
                });
        };
    }

    static LabClients.ClientsOfLibrary over(HttpClient transport, ExecutorService threads) {
        return (setup, collapses) -> {
            HttpClient client = collapses
                    ? new CollapseHttpClient(transport, LabOptions.http(setup), LabOptions.core(setup))
                    : transport;
            if (setup.client().otherPlace()) {
                return (uri, call, arrives) -> {
                    CompletableFuture<RawReply> reply =
                            asynchronous(reader(call.reading()), client, request(uri, call), new ClientReply(call));
                    arrives.run();
                    return reply;
                };
            }
            return LabClients.onThread(
                    (uri, call, reply) -> reader(call.reading()).send(client, request(uri, call), reply), threads);
        };
    }

    private static <T> CompletableFuture<RawReply> asynchronous(
            Reader<T> reader, HttpClient client, HttpRequest request, ClientReply reply) {
        CompletableFuture<HttpResponse<T>> response = client.sendAsync(request, reader.handler());
        CompletableFuture<RawReply> seen = response.handle((answer, failure) -> {
            if (failure != null) {
                return reply.failed(failure);
            }
            try {
                reader.show(answer, reply);
                return reply.ended();
            } catch (IOException e) {
                return reply.failed(e);
            }
        });
        return new CompletableFuture<>() {
            {
                CompletableFuture<?> unused = seen.whenComplete((value, failure) -> complete(value));
            }

            @Override
            public boolean cancel(boolean mayInterrupt) {
                return response.cancel(mayInterrupt);
            }
        };
    }

    private static HttpRequest request(java.net.URI uri, LabCall call) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .method(
                        call.method(),
                        call.body().isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(call.body()));
        call.headers().forEach(header -> request.header(header.getKey(), header.getValue()));
        return request.build();
    }
}
