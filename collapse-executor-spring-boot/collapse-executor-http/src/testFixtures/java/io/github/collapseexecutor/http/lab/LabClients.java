package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Makes clients of one kind over transports that all have in common: one that follows redirects, and one that does not. */
final class LabClients implements AutoCloseable {

    // immutable
    private final LabMake make;
    private final List<AutoCloseable> open = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "lab-caller");
        thread.setDaemon(true);
        return thread;
    });
    private final ClientsOfLibrary following;
    private final ClientsOfLibrary notFollowing;

    /** Makes clients with what they send by. */
    @FunctionalInterface
    interface ClientsOfLibrary {
        LabAsking client(LabSetup setup, boolean collapses);
    }

    LabClients(LabMake make) {
        this.make = make;
        this.following = clients(true);
        this.notFollowing = clients(false);
    }

    LabAsking client(LabSetup setup, boolean collapses) {
        return (setup.client().follows() ? following : notFollowing).client(setup, collapses);
    }

    private ClientsOfLibrary clients(boolean follows) {
        LabTransports transports = new LabTransports(follows, make.isHttp2(), open);
        return switch (make) {
            case SPRING_OVER_URL_CONNECTION -> blocking(SpringAsking.over(transports.urlConnection()));
            case SPRING_OVER_JDK, SPRING_OVER_JDK_BY_HTTP2 -> blocking(SpringAsking.over(transports.jdkFactory()));
            case SPRING_OVER_APACHE -> blocking(SpringAsking.over(transports.apacheFactory()));
            case SPRING_OVER_JETTY -> blocking(SpringAsking.over(transports.jettyFactory()));
            case SPRING_OVER_NETTY, SPRING_OVER_NETTY_BY_HTTP2 ->
                blocking(SpringAsking.over(transports.nettyFactory()));
            case WEB_CLIENT_OVER_NETTY, WEB_CLIENT_OVER_NETTY_BY_HTTP2 ->
                WebClientAsking.over(transports.nettyConnector());
            case WEB_CLIENT_OVER_JDK, WEB_CLIENT_OVER_JDK_BY_HTTP2 -> WebClientAsking.over(transports.jdkConnector());
            case WEB_CLIENT_OVER_JETTY -> WebClientAsking.over(transports.jettyConnector());
            case WEB_CLIENT_OVER_APACHE -> WebClientAsking.over(transports.apacheConnector());
            case JDK_CLIENT, JDK_CLIENT_BY_HTTP2 -> JdkAsking.over(transports.jdk(), threads);
            case OK_HTTP, OK_HTTP_BY_HTTP2 -> OkHttpAsking.over(transports.okHttp(), threads);
            case APACHE_CLIENT -> blocking(ApacheAsking.over(transports.apache()));
            case FEIGN -> blocking(FeignAsking.following(follows));
            default -> throw new IllegalArgumentException(make.name());
        };
    }

    /** Makes blocking clients. */
    @FunctionalInterface
    interface BlockingClients {
        LabAsking.Blocking client(LabSetup setup, boolean collapses);
    }

    private ClientsOfLibrary blocking(BlockingClients clients) {
        return (setup, collapses) -> onThread(clients.client(setup, collapses), threads);
    }

    /** A client whose callers have threads of their own, which are interrupted if they leave. */
    static LabAsking onThread(LabAsking.Blocking client, ExecutorService threads) {
        return (uri, call, arrives) -> threads.submit(() -> {
            ClientReply reply = new ClientReply(call);
            LabPauses.maybe();
            arrives.run();
            return reply(client, uri, call, reply);
        });
    }

    private static RawReply reply(LabAsking.Blocking client, java.net.URI uri, LabCall call, ClientReply reply) {
        try {
            client.ask(uri, call, reply);
            return reply.ended();
        } catch (Exception failure) {
            return reply.failed(failure);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        for (AutoCloseable transport : open) {
            try {
                transport.close();
            } catch (Exception e) {
                throw new IllegalStateException(make.name(), e);
            }
        }
    }
}
