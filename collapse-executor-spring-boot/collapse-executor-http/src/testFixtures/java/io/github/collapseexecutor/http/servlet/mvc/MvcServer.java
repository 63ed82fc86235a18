package io.github.collapseexecutor.http.servlet.mvc;

import io.github.collapseexecutor.http.servlet.mvc.MvcApplication.Mode;
import io.undertow.Undertow;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.ErrorPage;
import io.undertow.servlet.api.ServletContainerInitializerInfo;
import io.undertow.servlet.api.ServletStackTraces;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.net.InetSocketAddress;
import java.util.Set;
import org.eclipse.jetty.ee10.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.support.SpringBootServletInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.context.WebApplicationContext;

/**
 * A server with the application of the table in it.
 *
 * @param port the port that it listens on
 * @param stop stops it
 */
record MvcServer(int port, Stop stop) {

    /** Stops a server. */
    interface Stop {
        void stop() throws Exception;
    }

    /** Enough for several bursts. */
    private static final int THREADS = 160;

    static MvcServer start(Make make, Mode mode) throws Exception {
        MvcFiles.write();
        return switch (make) {
            case TOMCAT -> tomcat(mode);
            case JETTY -> jetty(new Deployment(mode));
            case UNDERTOW -> undertow(new Deployment(mode));
        };
    }

    private static MvcServer tomcat(Mode mode) {
        SpringApplication application = new SpringApplication(MvcTable.sources());
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        ConfigurableApplicationContext context =
                application.run(mode.arguments().toArray(String[]::new));
        int port = Integer.parseInt(context.getEnvironment().getRequiredProperty("local.server.port"));
        return new MvcServer(port, context::close);
    }

    /** The application as it is deployed into a server that is there already. */
    private static final class Deployment extends SpringBootServletInitializer implements ServletContainerInitializer {

        // immutable
        private final Mode mode;

        Deployment(Mode mode) {
            this.mode = mode;
            setRegisterErrorPageFilter(false); // the server has the error page
        }

        @Override
        public void onStartup(Set<Class<?>> classes, ServletContext context) throws ServletException {
            onStartup(context);
        }

        @Override
        protected SpringApplicationBuilder configure(SpringApplicationBuilder builder) {
            return builder.sources(MvcTable.sources())
                    .bannerMode(Banner.Mode.OFF)
                    .logStartupInfo(false);
        }

        @Override
        protected WebApplicationContext run(SpringApplication application) {
            return (WebApplicationContext) application.run(mode.arguments().toArray(String[]::new));
        }
    }

    private static MvcServer jetty(Deployment deployment) throws Exception {
        Server server = new Server(new QueuedThreadPool(THREADS));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler("/", ServletContextHandler.SESSIONS);
        context.addServletContainerInitializer(deployment);
        ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
        errors.addErrorPage(ErrorPageErrorHandler.GLOBAL_ERROR_PAGE, "/error");
        context.setErrorHandler(errors);
        server.setHandler(context);
        server.start();
        return new MvcServer(connector.getLocalPort(), server::stop);
    }

    /**
     * The class loader of a deployment. With that of the tests instead, the end of the Spring Boot application would take the JDBC drivers of
     * all tests with it.
     */
    private static final class OwnLoader extends ClassLoader {

        OwnLoader() {
            super(MvcServer.class.getClassLoader());
        }
    }

    private static MvcServer undertow(Deployment deployment) throws ServletException {
        DeploymentInfo info = Servlets.deployment()
                .setClassLoader(new OwnLoader())
                .setContextPath("")
                .setDeploymentName("test")
                .setServletStackTraces(ServletStackTraces.NONE) // a filter more is a line more
                .addServletContainerInitializer(new ServletContainerInitializerInfo(
                        Deployment.class, new ImmediateInstanceFactory<>(deployment), Set.of()))
                .addErrorPage(new ErrorPage("/error"))
                .addErrorPage(new ErrorPage("/error", Throwable.class));
        DeploymentManager manager = Servlets.newContainer().addDeployment(info);
        manager.deploy();
        Undertow server = Undertow.builder()
                .addHttpListener(0, "127.0.0.1", manager.start())
                .setIoThreads(2)
                .setWorkerThreads(THREADS)
                .build();
        server.start();
        int port = ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
        return new MvcServer(port, () -> {
            server.stop();
            manager.stop();
            manager.undeploy();
        });
    }

    void close() throws Exception {
        stop.stop();
    }
}
