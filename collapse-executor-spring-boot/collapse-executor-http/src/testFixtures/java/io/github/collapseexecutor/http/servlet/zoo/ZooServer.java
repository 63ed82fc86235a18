package io.github.collapseexecutor.http.servlet.zoo;

import io.github.collapseexecutor.http.fixture.ProcessFolder;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.ErrorPage;
import io.undertow.servlet.api.ServletContainerInitializerInfo;
import io.undertow.servlet.handlers.ServletRequestContext;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import io.undertow.util.AttachmentKey;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.ValveBase;
import org.eclipse.jetty.ee10.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.springframework.boot.web.server.WebServer;

/** Starts the same application on servers of three makes, which report every request before its first filter. */
public enum ZooServer {
    TOMCAT {
        @Override
        WebServer start(ServletContainerInitializer application, Presence presence) {
            return tomcat(application, presence);
        }
    },
    JETTY {
        @Override
        WebServer start(ServletContainerInitializer application, Presence presence) {
            return jetty(application, presence);
        }
    },
    UNDERTOW {
        @Override
        WebServer start(ServletContainerInitializer application, Presence presence) {
            return undertow(application, presence);
        }
    };

    /** Enough for each request of a round to keep its own. */
    private static final int THREADS = 60;

    private static final AttachmentKey<Boolean> REPORTED = AttachmentKey.create(Boolean.class);

    abstract WebServer start(ServletContainerInitializer application, Presence presence);

    private interface Stop {
        void run() throws Exception;
    }

    /** A server that runs already. */
    private record Started(int port, AtomicBoolean stopped, Stop end) implements WebServer {

        @Override
        public void start() {}

        @Override
        public void stop() {
            if (stopped.getAndSet(true)) {
                return;
            }
            try {
                end.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public int getPort() {
            return port;
        }
    }

    private static WebServer started(int port, Stop stop) {
        return new Started(port, new AtomicBoolean(), stop);
    }

    private static WebServer tomcat(ServletContainerInitializer application, Presence presence) {
        Tomcat tomcat = new Tomcat();
        tomcat.setSilent(true);
        tomcat.setBaseDir(ProcessFolder.of("tomcat").toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("maxThreads", Integer.toString(THREADS));
        Context context = tomcat.addContext("", null);
        context.addServletContainerInitializer(application, Set.of());
        var page = new org.apache.tomcat.util.descriptor.web.ErrorPage();
        page.setLocation("/error");
        context.addErrorPage(page);
        context.getPipeline().addValve(new ValveBase(true) {
            @Override
            public void invoke(Request request, Response response) throws IOException, ServletException {
                if (request.getDispatcherType() == DispatcherType.ASYNC) {
                    getNext().invoke(request, response);
                    return;
                }
                Presence.Visit visit = presence.enter();
                try {
                    getNext().invoke(request, response);
                } finally {
                    visit.leave(request.isAsyncStarted());
                }
            }
        });
        try {
            tomcat.start();
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        }
        return started(tomcat.getConnector().getLocalPort(), () -> {
            tomcat.stop();
            tomcat.destroy();
        });
    }

    private static WebServer jetty(ServletContainerInitializer application, Presence presence) {
        QueuedThreadPool pool = new QueuedThreadPool(THREADS);
        pool.setReservedThreads(0);
        Server server = new Server(pool);
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler("/", ServletContextHandler.SESSIONS);
        context.addServletContainerInitializer(application);
        ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
        errors.addErrorPage(ErrorPageErrorHandler.GLOBAL_ERROR_PAGE, "/error");
        context.setErrorHandler(errors);
        server.setHandler(new Handler.Wrapper(context) {
            @Override
            public boolean handle(
                    org.eclipse.jetty.server.Request request,
                    org.eclipse.jetty.server.Response response,
                    Callback callback)
                    throws Exception {
                AtomicBoolean answered = new AtomicBoolean();
                Presence.Visit visit = presence.enter();
                try {
                    return super.handle(request, response, Callback.from(() -> answered.set(true), callback));
                } finally {
                    visit.leave(!answered.get());
                }
            }
        });
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return started(connector.getLocalPort(), server::stop);
    }

    private static WebServer undertow(ServletContainerInitializer application, Presence presence) {
        DeploymentInfo deployment = Servlets.deployment()
                .setClassLoader(ZooServer.class.getClassLoader())
                .setContextPath("")
                .setDeploymentName("zoo")
                .addServletContainerInitializer(new ServletContainerInitializerInfo(
                        application.getClass(), new ImmediateInstanceFactory<>(application), Set.of()))
                .addOuterHandlerChainWrapper(next -> reporting(next, presence))
                .addErrorPage(new ErrorPage("/error"))
                .addErrorPage(new ErrorPage("/error", Throwable.class));
        DeploymentManager manager = Servlets.newContainer().addDeployment(deployment);
        manager.deploy();
        Undertow server;
        try {
            server = Undertow.builder()
                    .addHttpListener(0, "127.0.0.1", manager.start())
                    .setIoThreads(2)
                    .setWorkerThreads(THREADS)
                    .build();
        } catch (ServletException e) {
            throw new IllegalStateException(e);
        }
        server.start();
        int port = ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
        return started(port, () -> {
            server.stop();
            manager.stop();
            manager.undeploy();
        });
    }

    private static HttpHandler reporting(HttpHandler next, Presence presence) {
        return exchange -> {
            if (exchange.putAttachment(REPORTED, true) != null) {
                next.handleRequest(exchange); // a further dispatch
                return;
            }
            Presence.Visit visit = presence.enter();
            try {
                next.handleRequest(exchange);
            } finally {
                visit.leave(exchange.getAttachment(ServletRequestContext.ATTACHMENT_KEY)
                        .getOriginalRequest()
                        .isAsyncStarted());
            }
        };
    }
}
