package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.client.CollapseClientHttpRequestFactory;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.lab.LabCall.Reading;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.RequestEntity;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientResponseException;
import org.springframework.web.client.RestTemplate;

/** Spring's blocking clients: RestTemplate and RestClient, which collapse by an interceptor or by their request factory. */
final class SpringAsking {

    private SpringAsking() {}

    static LabClients.BlockingClients over(ClientHttpRequestFactory transport) {
        return (setup, collapses) -> {
            RestTemplate template = new RestTemplate(transport);
            template.setErrorHandler(response -> false);
            if (collapses && setup.client().otherPlace()) {
                template.setRequestFactory(new CollapseClientHttpRequestFactory(
                        transport, LabOptions.http(setup), LabOptions.core(setup)));
            } else if (!setup.client().otherPlace()) {
                // any interceptor holds a request's body, so that Apache's client can send it again where it is
                // redirected to
                template.setInterceptors(List.of(
                        collapses
                                ? new CollapseHttpRequestInterceptor(LabOptions.http(setup), LabOptions.core(setup))
                                : (request, body, execution) -> execution.execute(request, body)));
            }
            return setup.client().otherLibrary() ? restClient(RestClient.create(template)) : restTemplate(template);
        };
    }

    private static LabAsking.Blocking restTemplate(RestTemplate template) {
        return (uri, call, reply) -> {
            HttpMethod method = HttpMethod.valueOf(call.method());
            if (call.reading() == Reading.TEXT) {
                RequestEntity.BodyBuilder request = RequestEntity.method(method, uri);
                call.headers().forEach(header -> request.header(header.getKey(), header.getValue()));
                RequestEntity<?> sent = call.body().isEmpty() ? request.build() : request.body(call.body());
                text(() -> template.exchange(sent, String.class), reply);
                return;
            }
            Object unusedNothing = template.execute(
                    uri,
                    method,
                    sent -> {
                        call.headers().forEach(header -> sent.getHeaders().add(header.getKey(), header.getValue()));
                        if (!call.body().isEmpty()) {
                            sent.getBody().write(call.bodyBytes());
                        }
                    },
                    response -> read(response, reply));
        };
    }

    private static LabAsking.Blocking restClient(RestClient client) {
        return (uri, call, reply) -> {
            RestClient.RequestBodySpec spec =
                    client.method(HttpMethod.valueOf(call.method())).uri(uri);
            call.headers().forEach(header -> spec.header(header.getKey(), header.getValue()));
            if (!call.body().isEmpty()) {
                spec.body(call.body());
            }
            if (call.reading() == Reading.TEXT) {
                text(() -> spec.retrieve().toEntity(String.class), reply);
            } else {
                Object unusedNothing = spec.exchange((sent, response) -> read(response, reply));
            }
        };
    }

    /** Asks for text, as applications do. To a RestClient, a status of failure is an exception then, with the response in it. */
    private static void text(java.util.function.Supplier<ResponseEntity<String>> asking, ClientReply reply) {
        try {
            ResponseEntity<String> response = asking.get();
            reply.status(response.getStatusCode().value(), "");
            headers(response.getHeaders(), reply);
            reply.text(Objects.toString(response.getBody()));
        } catch (RestClientResponseException e) {
            reply.status(e.getStatusCode().value(), e.getStatusText());
            headers(Objects.requireNonNull(e.getResponseHeaders()), reply);
            reply.text(e.getResponseBodyAsString());
            throw e;
        }
    }

    private static boolean read(ClientHttpResponse response, ClientReply reply) throws IOException {
        reply.status(response.getStatusCode().value(), response.getStatusText());
        headers(response.getHeaders(), reply);
        reply.read(response.getBody());
        return true;
    }

    private static void headers(HttpHeaders headers, ClientReply reply) {
        reply.headers(headers::forEach);
    }
}
