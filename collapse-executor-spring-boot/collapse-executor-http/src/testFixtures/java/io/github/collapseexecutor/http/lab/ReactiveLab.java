package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import io.github.collapseexecutor.http.webflux.CollapseWebFilter;
import io.github.collapseexecutor.http.webflux.ReactiveServer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import org.springframework.web.server.handler.DefaultWebFilterChain;
import reactor.core.publisher.Mono;

/** A reactive server of the lab. */
final class ReactiveLab implements LabServer {

    // immutable
    private final LabMake make;
    private final ReactiveServer server;
    private final LabMeetings meetings = new LabMeetings();

    // mutable, thread-safe
    private final Map<String, WebFilterChain> applications = new ConcurrentHashMap<>();

    ReactiveLab(LabMake make, ReactiveServer.Make container) {
        this.make = make;
        this.server = container.start(WebHttpHandlerBuilder.webHandler(this::handle)
                .exceptionHandler(ReactiveLab::error)
                .build());
    }

    private Mono<Void> handle(ServerWebExchange exchange) {
        WebFilterChain application =
                applications.get(exchange.getRequest().getHeaders().getFirst(LabCall.APPLICATION));
        if (application == null) {
            return Mono.error(new IllegalStateException("An application that is gone"));
        }
        meetingOf(exchange).arrive();
        return application.filter(exchange);
    }

    private LabMeetings.Meeting meetingOf(ServerWebExchange exchange) {
        return meetings.of(exchange.getRequest().getHeaders().getFirst(LabCall.MEETING));
    }

    /** As Spring answers a failed handler, but without a line in the log for each. */
    private static Mono<Void> error(ServerWebExchange exchange, Throwable failure) {
        boolean open = exchange.getResponse()
                .setStatusCode(
                        failure instanceof ErrorResponse error
                                ? error.getStatusCode()
                                : HttpStatus.INTERNAL_SERVER_ERROR);
        return open ? exchange.getResponse().setComplete() : Mono.error(failure);
    }

    @Override
    public LabMake make() {
        return make;
    }

    /** Reactor Netty leaves some later request of a connection without a response, with collapsing or without. */
    @Override
    public LabCaller caller(String application) {
        return new LabConnection(server.port(), application, make != LabMake.REACTIVE_NETTY, ReactiveLab::byName);
    }

    /** In the order of the headers' names: Spring's reactive server keeps those of one name together, and in order. */
    private static RawReply byName(RawReply reply) {
        String head = reply.head()
                .lines()
                .sorted(Comparator.comparing(
                        line -> line.replaceFirst(":.*", "").toLowerCase(Locale.ROOT)))
                .collect(Collectors.joining("\n"));
        return new RawReply(head, reply.body(), reply.framing(), reply.chunks());
    }

    @Override
    public LabMeetings meetings() {
        return meetings;
    }

    @Override
    public void host(String name, LabSetup setup, boolean collapses) {
        List<WebFilter> filters = new ArrayList<>();
        setup.filters().forEach(filter -> filters.add(ReactiveParts.of(filter)));
        if (collapses) {
            filters.add(CollapseWebFilter.builder(LabOptions.http(setup))
                    .core(LabOptions.core(setup))
                    .build());
        }
        setup.behind().forEach(filter -> filters.add(ReactiveParts.of(filter)));
        ReactiveHandler handler = new ReactiveHandler(setup.handler());
        WebHandler held =
                exchange -> handler.handle(exchange, meetingOf(exchange).run());
        applications.put(name, new DefaultWebFilterChain(held, filters));
    }

    @Override
    public void remove(String name) {
        applications.remove(name);
    }

    @Override
    public void close() {
        server.close();
    }
}
