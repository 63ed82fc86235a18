package io.github.collapseexecutor.http.webflux;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.adapter.DefaultServerWebExchange;

/**
 * What a handler has asked its exchange for, of which no key tells. A filter in front may have replaced the answer: then the response is for the
 * handler's own client, and for no other whose answer a filter has replaced.
 */
final class Questions {

    /** What Spring gives as one object, until a filter replaces it. */
    enum Question {
        SESSION,
        FORM_DATA,
        MULTIPART_DATA,
        APPLICATION_CONTEXT,
        CONNECTION;

        private @Nullable Object answerOf(ServerWebExchange exchange) {
            return switch (this) {
                case SESSION -> exchange.getSession();
                case FORM_DATA -> exchange.getFormData();
                case MULTIPART_DATA -> exchange.getMultipartData();
                case APPLICATION_CONTEXT -> exchange.getApplicationContext();
                case CONNECTION -> exchange.getRequest().getSslInfo();
            };
        }

        /** Whether the answer may be another than that of the next request; each connection has an identity of its own. */
        private boolean isOfOne(ServerWebExchange exchange) {
            if (this == CONNECTION) {
                return answerOf(exchange) != null;
            }
            ServerWebExchange arrived = arrived(exchange);
            return !isSprings(arrived) || (arrived != exchange && answerOf(exchange) != answerOf(arrived));
        }
    }

    /**
     * What was asked when the response was complete.
     *
     * @param general the questions that had a general answer
     * @param addresses the addresses that were to be transformed, and how they were
     */
    record Asked(Set<Question> general, Map<String, String> addresses) {

        /** Whether the handler would have got the same answers from another exchange. */
        boolean suits(ServerWebExchange other) {
            return general.stream().noneMatch(question -> question.isOfOne(other))
                    && addresses.entrySet().stream()
                            .allMatch(address ->
                                    other.transformUrl(address.getKey()).equals(address.getValue()));
        }
    }

    // immutable
    private final Runnable keepForClient;

    // mutable, thread-safe
    private final Set<Question> general = Collections.synchronizedSet(EnumSet.noneOf(Question.class));
    private final Map<String, String> addresses = new ConcurrentHashMap<>();

    /**
     * Begins without a question.
     *
     * @param keepForClient is told that the response is for its own client only
     */
    Questions(Runnable keepForClient) {
        this.keepForClient = keepForClient;
    }

    /** The exchange that no filter has decorated. */
    static ServerWebExchange arrived(ServerWebExchange exchange) {
        ServerWebExchange arrived = exchange;
        while (arrived instanceof ServerWebExchangeDecorator decorator) {
            arrived = decorator.getDelegate();
        }
        return arrived;
    }

    /** Whether Spring has made an exchange, so that nobody answers in its place. */
    static boolean isSprings(ServerWebExchange exchange) {
        return exchange instanceof DefaultServerWebExchange;
    }

    void keepForClient() {
        keepForClient.run();
    }

    void asked(Question question, ServerWebExchange exchange) {
        if (question.isOfOne(exchange)) {
            keepForClient();
        } else {
            general.add(question);
        }
    }

    void askedForConnection(@Nullable SslInfo ssl) {
        if (ssl == null) {
            general.add(Question.CONNECTION);
        } else {
            keepForClient();
        }
    }

    void askedToTransform(String address, String transformed) {
        String before = addresses.put(address, transformed);
        if (before != null && !before.equals(transformed)) {
            keepForClient();
        }
    }

    Asked soFar() {
        synchronized (general) {
            return new Asked(Set.copyOf(general), Map.copyOf(addresses));
        }
    }
}
