package io.github.collapseexecutor.spring.boot.server;

import io.github.collapseexecutor.http.servlet.CollapseServletFilter;
import io.github.collapseexecutor.http.servlet.FollowerWaiting;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import org.apache.catalina.Container;
import org.apache.catalina.Context;
import org.apache.catalina.Engine;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleEvent;
import org.apache.catalina.LifecycleListener;
import org.apache.catalina.connector.Connector;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.coyote.AbstractProtocol;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.server.WebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Switches Tomcat's cache of processors off where followers wait asynchronously, unless the application has set its size (H44).
 *
 * <p>The thread of Tomcat that looks for asynchronous requests whose time is over may be held up between finding a processor and looking at
 * it. A processor that was recycled meanwhile serves another request by then, which has not begun to wait yet, and so looks as if it had
 * to be ended: it is lost, without an answer. A processor that is not used again cannot be taken for another one.
 *
 * <p>The decision is made when the filters of the context are there, and before a connector is bound. The factory is another class in Spring Boot
 * 4, with the same method, which is called by its name.
 */
public record TomcatProcessorCache(Environment environment, ObjectProvider<CollapseServletFilter> filter)
        implements WebServerFactoryCustomizer<WebServerFactory> {

    static final String PROPERTY = "server.tomcat.processor-cache";
    private static final String ADD_LISTENERS = "addContextLifecycleListeners";
    private static final List<String> FACTORIES = List.of(
            "org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory",
            "org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory");

    private static final Log logger = LogFactory.getLog(TomcatProcessorCache.class);

    /** What Tomcat has, and Spring Boot sets, where nobody says otherwise. */
    private static final int BY_DEFAULT = 200;

    /** Lets a native image find the method that {@link #customize} calls. */
    public static void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        for (String name : FACTORIES) {
            if (ClassUtils.isPresent(name, loader)) {
                Class<?> factory = ClassUtils.resolveClassName(name, loader);
                Method add = ClassUtils.getMethodIfAvailable(factory, ADD_LISTENERS, LifecycleListener[].class);
                if (add != null) {
                    hints.reflection().registerMethod(add, ExecutableMode.INVOKE);
                }
            }
        }
    }

    @Override
    public void customize(WebServerFactory factory) {
        if (!isTomcats(factory.getClass()) || isSet()) {
            return;
        }
        try {
            Method add = factory.getClass().getMethod(ADD_LISTENERS, LifecycleListener[].class);
            add.invoke(factory, (Object) new LifecycleListener[] {new OfContext()});
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(
                    "The class " + factory.getClass().getName() + " has no method " + ADD_LISTENERS
                            + " as those of Spring Boot 3.5 and 4. Set " + PROPERTY + " to 0 yourself, or "
                            + OptionsReader.SERVLET
                            + ".waiting to block.",
                    e);
        }
    }

    /** Whether a factory makes Tomcats, or extends one that does. */
    private static boolean isTomcats(Class<?> factory) {
        Class<?> type = factory;
        while (type != null && !FACTORIES.contains(type.getName())) {
            type = type.getSuperclass();
        }
        return type != null;
    }

    private boolean isSet() {
        return Binder.get(environment).bind(PROPERTY, Integer.class).isBound();
    }

    /** Finds the connectors before Spring Boot takes them out until the application is ready, and decides when filters are there. */
    private final class OfContext implements LifecycleListener {

        // mutable, confined to the thread that starts Tomcat
        private Connector[] connectors = {};

        @Override
        public void lifecycleEvent(LifecycleEvent event) {
            if (!(event.getLifecycle() instanceof Context context)) {
                return;
            }
            if (Lifecycle.BEFORE_START_EVENT.equals(event.getType())) {
                Container container = context;
                while (container != null && !(container instanceof Engine)) {
                    container = container.getParent();
                }
                connectors =
                        container instanceof Engine engine ? engine.getService().findConnectors() : connectors;
            } else if (Lifecycle.AFTER_START_EVENT.equals(event.getType()) && waitsAsynchronously()) {
                switchOff();
            }
        }

        private boolean waitsAsynchronously() {
            CollapseServletFilter present = filter.getIfAvailable();
            return present != null && present.waiting() == FollowerWaiting.ASYNC;
        }

        private void switchOff() {
            boolean switchedOff = false;
            for (Connector connector : connectors) {
                if (connector.getProtocolHandler() instanceof AbstractProtocol<?> protocol
                        && protocol.getProcessorCache() == BY_DEFAULT) {
                    protocol.setProcessorCache(0);
                    switchedOff = true;
                }
            }
            if (switchedOff) {
                logger.info("Tomcat's cache of processors is off, as if by " + PROPERTY
                        + "=0, because requests wait asynchronously for the response of another, and Tomcat can lose such a request if its"
                        + " processor has served another one before. To decide yourself, set " + PROPERTY + ", or set "
                        + OptionsReader.SERVLET + ".waiting to block.");
            }
        }
    }
}
