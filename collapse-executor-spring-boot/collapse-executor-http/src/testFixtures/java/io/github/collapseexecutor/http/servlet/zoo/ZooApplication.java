package io.github.collapseexecutor.http.servlet.zoo;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.servlet.zoo.ZooClient.Call;
import io.github.collapseexecutor.http.servlet.zoo.ZooClient.Reply;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletContainerInitializer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;

/** An application of Spring Boot with filters of its own in front of the collapsing one, and groups over all paths. */
public final class ZooApplication implements AutoCloseable {

    /** The type of Boot 3.5, and that of Boot 4. */
    private static final List<String> FACTORIES = List.of(
            "org.springframework.boot.web.servlet.server.ServletWebServerFactory",
            "org.springframework.boot.web.server.servlet.ServletWebServerFactory");

    /** The auto-configurations of web applications and of this project; the others cost a start more time than all the rest. */
    private static final Pattern NEEDED = Pattern.compile(
            "(?!.*\\.actuate\\.).*(\\.servlet\\.|\\.webmvc\\.|collapseexecutor|PropertyPlaceholder|HttpMessageConverters).*");

    private static final String UNNEEDED = StreamSupport.stream(
                    ImportCandidates.load(AutoConfiguration.class, ZooApplication.class.getClassLoader())
                            .spliterator(),
                    false)
            .filter(name -> !NEEDED.matcher(name).matches())
            .collect(Collectors.joining(","));

    // immutable
    private final ZooHandler handler;
    private final Presence presence;
    private final ConfigurableApplicationContext context;
    private final int port;

    // mutable, thread-safe
    private final AtomicInteger numbers = new AtomicInteger();

    private ZooApplication(Builder options) {
        this.handler = new ZooHandler(options.shown);
        this.presence = new Presence();
        SpringApplication application = new SpringApplication(Auto.class);
        application.setWebApplicationType(WebApplicationType.SERVLET);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        Map<String, Object> properties = new HashMap<>(options.setting.properties(options.policy));
        properties.put("logging.level.root", "off");
        properties.put("spring.autoconfigure.exclude", UNNEEDED);
        application.setDefaultProperties(properties);
        List<WebServer> servers = new ArrayList<>();
        application.addInitializers(started -> {
            GenericApplicationContext beans = (GenericApplicationContext) started;
            register(beans, options.setting.server(), servers);
            options.registrations.forEach(
                    (name, registration) -> beans.registerBean(name, FilterRegistrationBean.class, () -> registration));
            if (options.collapsingFirst) {
                beans.registerBean("collapsingFirst", BeanPostProcessor.class, CollapsingFirst::new);
            }
        });
        this.context = application.run();
        this.port = servers.get(0).getPort();
    }

    private void register(GenericApplicationContext beans, ZooServer server, List<WebServer> servers) {
        beans.registerBean("zooHandler", ZooHandler.class, () -> handler);
        beans.registerBean(
                "zooServlet",
                ServletRegistrationBean.class,
                () -> new ServletRegistrationBean<>(handler.asServlet(), "/servlet/*"));
        registerFactory(beans, serverFactoryType(), (proxy, method, arguments) -> switch (method.getName()) {
            case "getWebServer" -> {
                WebServer started = server.start(startUp((ServletContextInitializer[]) arguments[0]), presence);
                servers.add(started);
                yield started;
            }
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> server.name();
        });
    }

    private static ServletContainerInitializer startUp(ServletContextInitializer[] initializers) {
        return (types, servletContext) -> {
            for (ServletContextInitializer initializer : initializers) {
                initializer.onStartup(servletContext);
            }
        };
    }

    private static Class<?> serverFactoryType() {
        for (String name : FACTORIES) {
            if (ClassUtils.isPresent(name, ZooApplication.class.getClassLoader())) {
                return ClassUtils.resolveClassName(name, ZooApplication.class.getClassLoader());
            }
        }
        throw new AssertionError("Boot has none of " + FACTORIES);
    }

    private static <T> void registerFactory(GenericApplicationContext beans, Class<T> type, InvocationHandler factory) {
        beans.registerBean(
                "zooServer",
                type,
                () -> type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, factory)));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Auto {}

    /** Puts the collapsing filter before all others, where it must not be. */
    private static final class CollapsingFirst implements BeanPostProcessor {

        @Override
        public Object postProcessBeforeInitialization(Object bean, String name) {
            if (name.equals("collapseServletFilterRegistration")
                    && bean instanceof FilterRegistrationBean<?> registration) {
                registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
                registration.setMatchAfter(false);
            }
            return bean;
        }
    }

    public static Builder on(ZooSetting setting) {
        return new Builder(setting);
    }

    /** What an application consists of. */
    public static final class Builder {

        // immutable
        private final ZooSetting setting;

        // mutable, confined to the test's thread
        private final Map<String, FilterRegistrationBean<?>> registrations = new HashMap<>();
        private ZooHandler.Shown shown = request -> "shown";
        private ZooSetting.Policy policy = ZooSetting.Policy.DEFAULT;
        private boolean collapsingFirst;

        private Builder(ZooSetting setting) {
            this.setting = setting;
        }

        /** Adds a filter behind those that are there, for the dispatches that Boot chooses. */
        public Builder filter(Filter filter) {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter);
            registration.setOrder(registrations.size());
            registrations.put("zooFilter" + registrations.size(), registration);
            return this;
        }

        /** Adds a filter behind those that are there, for dispatches of every type. */
        public Builder filterOfAllDispatches(Filter filter) {
            filter(filter);
            registrations
                    .get("zooFilter" + (registrations.size() - 1))
                    .setDispatcherTypes(EnumSet.allOf(DispatcherType.class));
            return this;
        }

        public Builder shows(ZooHandler.Shown newShown) {
            shown = newShown;
            return this;
        }

        /** Lets requests of the same user share. */
        public Builder sharesForEachUser() {
            policy = ZooSetting.Policy.EACH_USER;
            return this;
        }

        /** Lets requests share that differ only in who sends them. */
        public Builder sharesAcrossUsers() {
            policy = ZooSetting.Policy.ALL_USERS;
            return this;
        }

        /** Puts the collapsing filter before all others, where it must not be. */
        public Builder collapsesFirst() {
            collapsingFirst = true;
            return this;
        }

        public ZooApplication start() {
            return new ZooApplication(this);
        }
    }

    /**
     * What requests gave that were present together.
     *
     * @param replies in the order of the requests
     * @param runs how often the handler ran for them
     * @param parked how many of them waited without a thread
     * @param firstNumber the number of the first request; the others' follow
     * @param openedAt the moment when the handler was let go, of {@link System#nanoTime()}
     */
    public record Round(List<Reply> replies, int runs, int parked, int firstNumber, long openedAt) {

        public List<String> bodies() {
            return replies.stream().map(Reply::body).toList();
        }

        public List<Integer> statuses() {
            return replies.stream().map(Reply::status).toList();
        }
    }

    /** Sends one request when no other is there. */
    public Reply alone(Call call) throws Exception {
        handler.open();
        Reply reply = get(ZooClient.send(port, numbers.incrementAndGet(), call));
        presence.awaitLeft();
        return reply;
    }

    /** Sends requests in this order. The handler ends no run before all of them are there. */
    public Round together(List<Call> calls) throws Exception {
        return together(calls, () -> {});
    }

    /**
     * Sends requests in this order. The handler ends no run before all of them are there.
     *
     * @param whenAllAreThere is run before the handler is let go
     */
    public Round together(List<Call> calls, Runnable whenAllAreThere) throws Exception {
        presence.forget();
        handler.close();
        int first = numbers.get() + 1;
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        int parked;
        long openedAt;
        try {
            for (Call call : calls) {
                replies.add(ZooClient.send(port, numbers.incrementAndGet(), call));
                presence.awaitSettled(replies.size());
            }
            parked = presence.parked();
            whenAllAreThere.run();
        } finally {
            openedAt = System.nanoTime();
            handler.open();
        }
        List<Reply> received = new ArrayList<>();
        for (CompletableFuture<Reply> reply : replies) {
            received.add(get(reply));
        }
        presence.awaitLeft();
        return new Round(received, handler.runs(), parked, first, openedAt);
    }

    /** Sends requests together, and compares each reply with the one that the same request gets alone. */
    public Round togetherAsAlone(List<Call> calls) throws Exception {
        Map<Call, Reply> alone = new HashMap<>();
        for (Call call : calls) {
            if (!alone.containsKey(call)) {
                alone.put(call, alone(call));
            }
        }
        Round round = together(calls);
        Map<String, Integer> differences = new TreeMap<>();
        for (int i = 0; i < calls.size(); i++) {
            Reply expected = Objects.requireNonNull(alone.get(calls.get(i)));
            Reply reply = round.replies().get(i);
            if (!reply.equals(expected)) {
                differences.merge(
                        "\nalone " + expected.brief() + "\ntogether " + reply.brief() + "\n", 1, Integer::sum);
            }
        }
        assertThat(differences).as("replies that differ, and how many").isEmpty();
        return round;
    }

    private static Reply get(CompletableFuture<Reply> reply) throws InterruptedException, TimeoutException {
        try {
            return reply.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("A request failed", e.getCause());
        }
    }

    @Override
    public void close() {
        handler.open();
        context.close();
    }
}
