package io.github.collapseexecutor.http.lab;

import feign.Client;
import feign.DefaultClient;
import feign.Request;
import feign.Response;
import feign.Util;
import io.github.collapseexecutor.http.feign.CollapseFeignClient;
import io.github.collapseexecutor.http.lab.LabCall.Reading;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Feign over its own client. */
final class FeignAsking {

    private FeignAsking() {}

    static LabClients.BlockingClients following(boolean follows) {
        Client transport = new DefaultClient(null, null);
        Request.Options options = new Request.Options(10, TimeUnit.SECONDS, 60, TimeUnit.SECONDS, follows);
        return (setup, collapses) -> {
            Client client = collapses
                    ? new CollapseFeignClient(transport, LabOptions.http(setup), LabOptions.core(setup))
                    : transport;
            return (uri, call, reply) -> {
                try (Response response = client.execute(request(uri, call), options)) {
                    reply.status(response.status(), Objects.toString(response.reason()));
                    response.headers()
                            .forEach((name, values) ->
                                    values.forEach(value -> reply.header(String.valueOf(name), value)));
                    reply.shows("version", response.protocolVersion());
                    if (response.body() == null) {
                        reply.shows("body", "none");
                    } else if (call.reading() == Reading.TEXT) {
                        reply.text(Util.toString(response.body().asReader(response.charset())));
                    } else {
                        reply.read(response.body().asInputStream());
                    }
                }
            };
        };
    }

    private static Request request(java.net.URI uri, LabCall call) {
        Map<String, Collection<String>> headers = new LinkedHashMap<>();
        call.headers()
                .forEach(header -> headers.computeIfAbsent(header.getKey(), name -> new ArrayList<>())
                        .add(header.getValue()));
        return Request.create(
                Request.HttpMethod.valueOf(call.method()),
                uri.toString(),
                headers,
                call.body().isEmpty() ? null : call.bodyBytes(),
                StandardCharsets.UTF_8,
                null);
    }
}
