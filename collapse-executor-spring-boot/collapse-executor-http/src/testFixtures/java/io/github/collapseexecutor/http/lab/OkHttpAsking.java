package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.lab.LabCall.Reading;
import io.github.collapseexecutor.http.okhttp.CollapseOkHttpInterceptor;
import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** OkHttp, by {@code execute} and by {@code enqueue}. */
final class OkHttpAsking {

    private OkHttpAsking() {}

    static LabClients.ClientsOfLibrary over(OkHttpClient transport, ExecutorService threads) {
        return (setup, collapses) -> {
            OkHttpClient client = collapses
                    ? transport
                            .newBuilder()
                            .addInterceptor(
                                    new CollapseOkHttpInterceptor(LabOptions.http(setup), LabOptions.core(setup)))
                            .build()
                    : transport;
            return setup.client().otherPlace()
                    ? (uri, call, arrives) -> enqueued(client.newCall(request(uri, call)), call, arrives)
                    : LabClients.onThread(
                            (uri, call, reply) -> {
                                try (Response response =
                                        client.newCall(request(uri, call)).execute()) {
                                    read(response, call, reply);
                                }
                            },
                            threads);
        };
    }

    private static CompletableFuture<RawReply> enqueued(Call call, LabCall asked, Runnable arrives) {
        CompletableFuture<RawReply> ended = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                call.cancel();
                return super.cancel(mayInterrupt);
            }
        };
        ClientReply reply = new ClientReply(asked);
        call.enqueue(new Callback() {
            @Override
            public void onFailure(Call failed, IOException e) {
                ended.complete(reply.failed(e));
            }

            @Override
            public void onResponse(Call answered, Response response) {
                try (response) {
                    read(response, asked, reply);
                    ended.complete(reply.ended());
                } catch (IOException | RuntimeException e) {
                    ended.complete(reply.failed(e));
                }
            }
        });
        arrives.run();
        return ended;
    }

    private static Request request(java.net.URI uri, LabCall call) {
        @Nullable RequestBody body = call.method().equals("POST") ? RequestBody.create(call.bodyBytes(), null) : null;
        Request.Builder request = new Request.Builder().url(uri.toString()).method(call.method(), body);
        call.headers().forEach(header -> request.addHeader(header.getKey(), header.getValue()));
        return request.build();
    }

    private static void read(Response response, LabCall call, ClientReply reply) throws IOException {
        reply.status(response.code(), response.message());
        response.headers().forEach(header -> reply.header(header.getFirst(), header.getSecond()));
        reply.shows("protocol", response.protocol());
        reply.shows("address", response.request().url());
        Response before = response.priorResponse();
        reply.shows("before", before == null ? "none" : before.code() + " " + before.headers());
        if (call.reading() == Reading.TEXT) {
            reply.text(response.body().string());
        } else {
            reply.read(response.body().byteStream());
        }
    }
}
