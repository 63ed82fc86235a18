package io.github.collapseexecutor.http.webflux;

import io.github.collapseexecutor.http.fixture.ProcessFolder;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.UpgradeProtocol;
import org.apache.coyote.http2.Http2Protocol;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.http.server.reactive.TomcatHttpHandlerAdapter;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** A server of one reactive handler, on a port of its own. */
public final class ReactiveServer implements AutoCloseable {

    public enum Make {
        NETTY,
        TOMCAT;

        public ReactiveServer start(HttpHandler handler) {
            return this == NETTY ? netty(handler) : tomcat(handler);
        }
    }

    // immutable
    private final int port;
    private final Runnable stop;

    private ReactiveServer(int port, Runnable stop) {
        this.port = port;
        this.stop = stop;
    }

    private static ReactiveServer netty(HttpHandler handler) {
        DisposableServer server = HttpServer.create()
                .host("localhost")
                .port(0)
                .handle(new ReactorHttpHandlerAdapter(handler))
                .bindNow();
        return new ReactiveServer(server.port(), server::disposeNow);
    }

    /** Starts a Tomcat that also speaks HTTP/2, without TLS. */
    static ReactiveServer http2(HttpHandler handler) {
        return tomcat(handler, new Http2Protocol());
    }

    private static ReactiveServer tomcat(HttpHandler handler, UpgradeProtocol... protocols) {
        Tomcat server = new Tomcat();
        server.setSilent(true);
        server.setBaseDir(ProcessFolder.of("tomcat").toString());
        server.setPort(0);
        server.getConnector().setEncodedSolidusHandling("passthrough");
        for (UpgradeProtocol protocol : protocols) {
            server.getConnector().addUpgradeProtocol(protocol);
        }
        StandardContext context = (StandardContext) server.addContext("", null);
        Tomcat.addServlet(context, "handler", new TomcatHttpHandlerAdapter(handler))
                .setAsyncSupported(true);
        context.addServletMappingDecoded("/", "handler");
        try {
            server.start();
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        }
        return new ReactiveServer(server.getConnector().getLocalPort(), () -> {
            try {
                server.stop();
                server.destroy();
            } catch (LifecycleException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    public int port() {
        return port;
    }

    @Override
    public void close() {
        stop.run();
    }
}
