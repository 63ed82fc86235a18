package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.fixture.ProcessFolder;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.ErrorPage;
import io.undertow.servlet.api.ServletStackTraces;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.UpgradeProtocol;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.eclipse.jetty.ee10.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A real server with some filters before one servlet, which also answers {@code /error}. */
public interface ServletServer extends AutoCloseable {

    /** The name of the servlet. */
    String SERVLET = "servlet";

    int port();

    @Override
    void close();

    /** Starts servers of one make. */
    enum Make {
        TOMCAT {
            @Override
            public ServletServer start(int threads, List<Filter> filters, HttpServlet servlet) {
                return tomcat(threads, filters, servlet);
            }
        },
        JETTY {
            @Override
            public ServletServer start(int threads, List<Filter> filters, HttpServlet servlet) {
                return jetty(threads, filters, servlet);
            }
        },
        UNDERTOW {
            @Override
            public ServletServer start(int threads, List<Filter> filters, HttpServlet servlet) {
                return undertow(threads, filters, servlet);
            }
        };

        public abstract ServletServer start(int threads, List<Filter> filters, HttpServlet servlet);
    }

    /** Starts a Tomcat that also speaks HTTP/2, without TLS. */
    static ServletServer http2(int threads, List<Filter> filters, HttpServlet servlet) {
        return tomcat(threads, filters, servlet, new Http2Protocol());
    }

    private static ServletServer tomcat(
            int threads, List<Filter> filters, HttpServlet servlet, UpgradeProtocol... protocols) {
        Tomcat tomcat = new Tomcat();
        tomcat.setSilent(true);
        tomcat.setBaseDir(ProcessFolder.of("tomcat").toString());
        tomcat.setPort(0);
        Connector connector = tomcat.getConnector();
        connector.setEncodedSolidusHandling("passthrough");
        connector.setProperty("maxThreads", Integer.toString(threads));
        connector.setProperty("minSpareThreads", "1");
        connector.setProperty("processorCache", "0"); // it can lose an asynchronous request otherwise (H44)
        for (UpgradeProtocol protocol : protocols) {
            connector.addUpgradeProtocol(protocol);
        }
        Context context = tomcat.addContext("", null);
        Wrapper wrapper = Tomcat.addServlet(context, SERVLET, servlet);
        wrapper.setAsyncSupported(true);
        context.addServletMappingDecoded("/", SERVLET);
        var page = new org.apache.tomcat.util.descriptor.web.ErrorPage();
        page.setLocation("/error");
        context.addErrorPage(page);
        for (int i = 0; i < filters.size(); i++) {
            FilterDef definition = new FilterDef();
            definition.setFilter(filters.get(i));
            definition.setFilterName("filter" + i);
            definition.setAsyncSupported("true");
            context.addFilterDef(definition);
            FilterMap map = new FilterMap();
            map.setFilterName("filter" + i);
            map.addURLPattern("/*");
            map.setDispatcher(DispatcherType.REQUEST.name());
            map.setDispatcher(DispatcherType.ASYNC.name());
            context.addFilterMap(map);
        }
        try {
            tomcat.start();
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        }
        return new ServletServer() {
            @Override
            public int port() {
                return connector.getLocalPort();
            }

            @Override
            public void close() {
                try {
                    tomcat.stop();
                    tomcat.destroy();
                } catch (LifecycleException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
    }

    private static ServletServer jetty(int threads, List<Filter> filters, HttpServlet servlet) {
        // Jetty accepts and selects on threads of the same pool
        QueuedThreadPool pool = new QueuedThreadPool(threads + 2);
        pool.setReservedThreads(0);
        Server server = new Server(pool);
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setUriCompliance(UriCompliance.UNSAFE);
        configuration.setSendServerVersion(false);
        // it would be added to the handler's, and differ from one second to the next
        configuration.setSendDateHeader(false);
        ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(configuration));
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler("/", ServletContextHandler.SESSIONS);
        context.getServletHandler().setDecodeAmbiguousURIs(true);
        for (Filter filter : filters) {
            FilterHolder holder = new FilterHolder(filter);
            holder.setAsyncSupported(true);
            context.addFilter(holder, "/*", EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
        }
        ServletHolder holder = new ServletHolder(SERVLET, servlet);
        holder.setAsyncSupported(true);
        context.addServlet(holder, "/*");
        ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
        errors.addErrorPage(ErrorPageErrorHandler.GLOBAL_ERROR_PAGE, "/error");
        context.setErrorHandler(errors);
        server.setHandler(context);
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return new ServletServer() {
            @Override
            public int port() {
                return connector.getLocalPort();
            }

            @Override
            public void close() {
                try {
                    server.stop();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        };
    }

    private static ServletServer undertow(int threads, List<Filter> filters, HttpServlet servlet) {
        DeploymentInfo deployment = Servlets.deployment()
                .setClassLoader(ServletServer.class.getClassLoader())
                .setContextPath("")
                .setDeploymentName("test")
                .setServletStackTraces(ServletStackTraces.NONE) // a filter more is a line more
                .addServlet(Servlets.servlet(SERVLET, servlet.getClass(), new ImmediateInstanceFactory<>(servlet))
                        .addMapping("/")
                        .setAsyncSupported(true))
                .addErrorPage(new ErrorPage("/error"))
                .addErrorPage(new ErrorPage("/error", Throwable.class));
        for (int i = 0; i < filters.size(); i++) {
            Filter filter = filters.get(i);
            String name = "filter" + i;
            deployment
                    .addFilter(Servlets.filter(name, filter.getClass(), new ImmediateInstanceFactory<>(filter))
                            .setAsyncSupported(true))
                    .addFilterUrlMapping(name, "/*", DispatcherType.REQUEST)
                    .addFilterUrlMapping(name, "/*", DispatcherType.ASYNC);
        }
        DeploymentManager manager = Servlets.newContainer().addDeployment(deployment);
        manager.deploy();
        Undertow server;
        try {
            server = Undertow.builder()
                    .addHttpListener(0, "127.0.0.1", manager.start())
                    .setIoThreads(2)
                    .setWorkerThreads(threads)
                    .setServerOption(UndertowOptions.ALWAYS_SET_DATE, false)
                    .setServerOption(UndertowOptions.ALWAYS_SET_KEEP_ALIVE, false)
                    .setServerOption(UndertowOptions.DECODE_SLASH, false)
                    .build();
        } catch (ServletException e) {
            throw new IllegalStateException(e);
        }
        server.start();
        int port = ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
        return new ServletServer() {
            @Override
            public int port() {
                return port;
            }

            @Override
            public void close() {
                server.stop();
                try {
                    manager.stop();
                } catch (ServletException e) {
                    throw new IllegalStateException(e);
                }
                manager.undeploy();
            }
        };
    }
}
