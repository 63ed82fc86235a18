package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.hc5.CollapseExecChainHandler;
import io.github.collapseexecutor.http.lab.LabCall.Reading;
import java.io.IOException;
import java.util.function.Supplier;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.ParseException;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.StringEntity;

/** Apache's client, with a response handler or with a response that the caller closes. */
final class ApacheAsking {

    private ApacheAsking() {}

    static LabClients.BlockingClients over(Supplier<HttpClientBuilder> transports) {
        CloseableHttpClient plain = transports.get().build();
        return (setup, collapses) -> {
            CloseableHttpClient client = plain;
            if (collapses) {
                CollapseExecChainHandler handler =
                        new CollapseExecChainHandler(LabOptions.http(setup), LabOptions.core(setup));
                client = transports
                        .get()
                        .addExecInterceptorBefore(ChainElement.CONNECT.name(), "collapse", handler)
                        .build();
            }
            return asking(client, setup.client().otherPlace());
        };
    }

    private static LabAsking.Blocking asking(CloseableHttpClient client, boolean opens) {
        return (uri, call, reply) -> {
            HttpUriRequestBase request = new HttpUriRequestBase(call.method(), uri);
            call.headers().forEach(header -> request.addHeader(header.getKey(), header.getValue()));
            if (!call.body().isEmpty()) {
                request.setEntity(new StringEntity(call.body()));
            }
            HttpClientContext context = HttpClientContext.create();
            if (opens) {
                try (ClassicHttpResponse response = client.executeOpen(null, request, context)) {
                    read(response, call, context, reply);
                }
            } else {
                Object unusedNothing = client.execute(request, context, response -> {
                    read(response, call, context, reply);
                    return "";
                });
            }
        };
    }

    private static void read(ClassicHttpResponse response, LabCall call, HttpClientContext context, ClientReply reply)
            throws IOException, ParseException {
        reply.status(response.getCode(), response.getReasonPhrase());
        for (Header header : response.getHeaders()) {
            reply.header(header.getName(), header.getValue());
        }
        reply.shows("version", response.getVersion());
        reply.shows("redirects", context.getRedirectLocations().getAll());
        HttpEntity entity = response.getEntity();
        if (entity == null) {
            reply.shows("entity", "none");
        } else if (call.reading() == Reading.TEXT) {
            reply.text(String.valueOf(EntityUtils.toString(entity)));
        } else {
            reply.shows("coding", entity.getContentEncoding());
            reply.read(entity.getContent());
        }
    }
}
