package io.github.collapseexecutor.foreign.client;

import io.github.collapseexecutor.foreign.client.Question.Reading;
import io.github.collapseexecutor.http.hc5.CollapseExecChainHandler;
import io.micrometer.core.instrument.binder.httpcomponents.hc5.ObservationExecChainHandler;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.cache.CachingHttpClients;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.zalando.logbook.httpclient5.LogbookHttpExecHandler;
import org.zalando.logbook.httpclient5.LogbookHttpRequestInterceptor;
import org.zalando.logbook.httpclient5.LogbookHttpResponseInterceptor;

/** Apache's client, with and without its cache, with handlers at any place of its chain. */
final class ApacheLibrary implements Library {

    private static final int CONNECTIONS = 100;

    private static final List<Layer<HttpClientBuilder>> LAYERS = List.of(
            new Layer<>(
                    "logbook first",
                    builder -> builder.addExecInterceptorFirst("log", new LogbookHttpExecHandler(Logs.withBodies()))),
            new Layer<>(
                    "logbook before the connection",
                    builder -> builder.addExecInterceptorBefore(
                            ChainElement.CONNECT.name(), "log", new LogbookHttpExecHandler(Logs.withBodies()))),
            new Layer<>(
                    "logbook last",
                    builder -> builder.addExecInterceptorLast("log", new LogbookHttpExecHandler(Logs.withBodies()))),
            new Layer<>(
                    "logbook by interceptors",
                    builder -> builder.addRequestInterceptorLast(new LogbookHttpRequestInterceptor(Logs.withBodies()))
                            .addResponseInterceptorFirst(new LogbookHttpResponseInterceptor())),
            new Layer<>(
                    "observed",
                    builder -> builder.addExecInterceptorAfter(
                            ChainElement.RETRY.name(),
                            "observed",
                            new ObservationExecChainHandler(ObservationRegistry.create()))),
            new Layer<>("plain text only", builder -> builder.disableContentCompression()),
            new Layer<>("no retries", builder -> builder.disableAutomaticRetries()));

    @Override
    public Asker make(Draw draw) {
        Closing closing = new Closing();
        PoolingHttpClientConnectionManager pool = PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnPerRoute(CONNECTIONS)
                .setMaxConnTotal(CONNECTIONS)
                .build();
        closing.add(pool);
        closing.counting(() -> pool.getTotalStats().getLeased());
        HttpClientBuilder builder = draw.oneOf(3, "cache") ? CachingHttpClients.custom() : HttpClients.custom();
        builder.setConnectionManager(pool);
        boolean opens = draw.oneOf(2, "opened");
        String before = draw.pick(List.of(
                ChainElement.CONNECT.name(),
                ChainElement.CONNECT.name(),
                ChainElement.PROTOCOL.name(),
                ChainElement.RETRY.name()));
        draw.layers("in front", LAYERS).forEach(layer -> layer.add().accept(builder));
        CollapseExecChainHandler ours = new CollapseExecChainHandler(draw.http(), draw.core());
        if (draw.collapses()) {
            builder.addExecInterceptorBefore(before, "collapse", ours);
        }
        draw.layers("behind", LAYERS).forEach(layer -> layer.add().accept(builder));
        CloseableHttpClient client = builder.build();
        closing.add(client);
        return new OfApache(client, opens, closing);
    }

    private record OfApache(CloseableHttpClient client, boolean opens, Closing closing) implements Asker {

        @Override
        public void ask(URI uri, Reply reply) throws Exception {
            HttpGet request = new HttpGet(uri);
            request.setHeader("Authorization", "Bearer " + reply.question().user());
            if (opens) {
                try (ClassicHttpResponse response = client.executeOpen(null, request, null)) {
                    read(response, reply);
                }
            } else {
                Object unused = client.execute(request, response -> read(response, reply));
            }
        }

        private static boolean read(ClassicHttpResponse response, Reply reply) throws IOException, HttpException {
            reply.status(response.getCode());
            for (Header header : response.getHeaders()) {
                reply.header(header.getName(), header.getValue());
            }
            if (response.getEntity() == null) {
                return false;
            }
            if (reply.question().reading() == Reading.TEXT) {
                reply.text(EntityUtils.toString(response.getEntity()));
            } else if (!reply.hasEnough()) {
                reply.read(response.getEntity().getContent());
            }
            return true;
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
