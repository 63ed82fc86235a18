package io.github.collapseexecutor.http.feign;

import feign.Client;
import feign.Feign;
import feign.Param;
import feign.Request;
import feign.RequestLine;
import feign.Response;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An origin, Feign clients that collapse, and calls of them that meet or do not meet. */
abstract class FeignClientFixture extends OriginFixture {

    /** An interface as applications have it. */
    interface Users {

        @RequestLine("GET /user/{id}")
        String find(@Param("id") long id);

        @RequestLine("GET /user/{id}")
        String find(@Param("id") long id, Request.Options options);
    }

    /** A client whose requests join calls in flight. */
    static Client collapsing(Client client) {
        return new CollapseFeignClient(client, everything().build(), IN_FLIGHT);
    }

    static Client collapsing() {
        return collapsing(FeignClients.PLAIN);
    }

    /** A client of which a lone caller cannot be joined. */
    static Client fresh() {
        return new CollapseFeignClient(FeignClients.PLAIN, everything().build());
    }

    String address() {
        return origin.uri("").toString();
    }

    Users users(Client client) {
        return Feign.builder().client(client).target(Users.class, address());
    }

    static Request request(String url, Map<String, Collection<String>> headers) {
        return Request.create(Request.HttpMethod.GET, url, headers, null, StandardCharsets.UTF_8, null);
    }

    Request get() {
        return request(origin.uri("/a").toString(), new TreeMap<>());
    }

    Request get(String name, String value) {
        return request(origin.uri("/a").toString(), new TreeMap<>(Map.of(name, List.of(value))));
    }

    static Response execute(Client client, Request request) throws IOException {
        return client.execute(request, FeignClients.OPTIONS);
    }

    static int statusOf(Response response) {
        try (response) {
            return response.status();
        }
    }
}
