package io.github.collapseexecutor.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** Classes, interfaces, generics and proxies: each kind of bean collapses, and only as one object. */
class KindsOfBeansTests {

    interface Finder<K, V> {

        @Collapsible(name = "generic")
        V find(K key);

        @Collapsible(name = "default")
        default V findTwice(K key) {
            find(key);
            return find(key);
        }
    }

    static class Names implements Finder<Long, String> {

        // immutable
        private final Gate gate;

        Names(Gate gate) {
            this.gate = gate;
        }

        @Override
        public String find(Long key) {
            gate.pass(key);
            return "name " + key;
        }
    }

    static class LoudNames extends Names {

        LoudNames(Gate gate) {
            super(gate);
        }

        @Override
        public String find(Long key) {
            return super.find(key) + "!";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class InterfaceProxy {

        /** As libraries make clients: a plain JDK proxy. */
        @Bean
        @SuppressWarnings("unchecked")
        Finder<Long, String> plainProxy(Gate gate) {
            Names target = new Names(gate);
            return (Finder<Long, String>) Proxy.newProxyInstance(
                    Finder.class.getClassLoader(),
                    new Class<?>[] {Finder.class},
                    (proxy, method, arguments) -> method.invoke(target, arguments));
        }
    }

    interface Batches<K, V, L> {

        @CollapseBatch(name = "batches", method = "findAll")
        V find(K key, L language);

        Map<K, V> findAll(Collection<K> keys, L language);
    }

    static class NamesInBatches implements Batches<Long, String, Locale> {

        // immutable
        private final Gate gate;

        NamesInBatches(Gate gate) {
            this.gate = gate;
        }

        @Override
        public String find(Long key, Locale language) {
            return findAll(List.of(key), language).get(key);
        }

        @Override
        public Map<Long, String> findAll(Collection<Long> keys, Locale language) {
            gate.pass(keys);
            return keys.stream().collect(Collectors.toMap(key -> key, key -> "name " + key + " in " + language));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ProxiesByInterface {

        /** As Spring makes them without proxyTargetClass: of interfaces only. */
        @Bean
        Object finder(Gate gate) {
            return new ProxyFactory(new Names(gate)).getProxy();
        }

        @Bean
        Object batches(Gate gate) {
            return new ProxyFactory(new NamesInBatches(gate)).getProxy();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SpringClient {

        /** As libraries make clients with Spring: a proxy without a target, whose last interceptor makes the call. */
        @Bean
        @SuppressWarnings("unchecked")
        Finder<Long, String> springProxy(Gate gate) {
            Names target = new Names(gate);
            ProxyFactory factory = new ProxyFactory(Finder.class, (MethodInterceptor)
                    invocation -> invocation.getMethod().invoke(target, invocation.getArguments()));
            return (Finder<Long, String>) factory.getProxy();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Prototypes {

        @Bean
        @Scope("prototype")
        Names prototype(Gate gate) {
            return new Names(gate);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Scoped {

        @Bean
        @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Names scoped(Gate gate) {
            return new Names(gate);
        }
    }

    interface Client {

        @Collapsible(name = "http")
        @GetExchange("/users/{id}")
        String user(@PathVariable("id") long id);
    }

    @Configuration(proxyBeanMethods = false)
    static class HttpInterface {

        @Bean(destroyMethod = "stop0")
        Server server(Gate gate) throws Exception {
            return new Server(gate);
        }

        @Bean
        Client client(Server server) {
            RestClient client = RestClient.create("http://localhost:" + server.port());
            return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
                    .build()
                    .createClient(Client.class);
        }
    }

    /** A real HTTP server. */
    static final class Server {

        // immutable
        private final HttpServer http;

        Server(Gate gate) throws Exception {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            http.setExecutor(Executors.newCachedThreadPool(task -> {
                Thread thread = new Thread(task);
                thread.setDaemon(true);
                return thread;
            }));
            http.createContext("/users/", exchange -> {
                String path = exchange.getRequestURI().getPath();
                gate.pass(path);
                byte[] body = ("answer to " + path).getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                try (OutputStream out = exchange.getResponseBody()) {
                    out.write(body);
                }
            });
            http.start();
        }

        int port() {
            return http.getAddress().getPort();
        }

        void stop0() {
            http.stop(0);
        }
    }

    private static void collapses(Application application, String executor, Callable<String> call, String answer)
            throws Exception {
        Gate gate = application.get(Gate.class);
        int before = gate.executions().size();
        assertThat(Burst.of(20, gate, application.executor(executor), index -> call))
                .containsOnly(answer);
        assertThat(gate.executions().size() - before).isEqualTo(2);
    }

    @Test
    void methodOfAGenericInterfaceCollapsesHoweverItIsCalled() throws Exception {
        try (Application application = Application.start(Names.class)) {
            Names names = application.get(Names.class);
            Finder<Long, String> finder = names;
            collapses(application, "generic", () -> names.find(7L), "name 7");
            collapses(application, "generic", () -> finder.find(7L), "name 7");
        }
    }

    @Test
    void defaultMethodCollapses() throws Exception {
        try (Application application = Application.start(Names.class)) {
            Gate gate = application.get(Gate.class);
            Names names = application.get(Names.class);
            assertThat(Burst.of(20, gate, application.executor("default"), index -> () -> names.findTwice(7L)))
                    .containsOnly("name 7");
            assertThat(gate.executions()).as("each execution of it finds twice").hasSize(4);
        }
    }

    @Test
    void overridingMethodCollapsesAsTheOneThatItOverrides() throws Exception {
        try (Application application = Application.start(LoudNames.class)) {
            LoudNames names = application.get(LoudNames.class);
            collapses(application, "generic", () -> names.find(7L), "name 7!");
        }
    }

    @Test
    void plainJdkProxyCollapses() throws Exception {
        try (Application application = Application.start(InterfaceProxy.class)) {
            Finder<Long, String> finder = finder(application);
            collapses(application, "generic", () -> finder.find(7L), "name 7");
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void objectOfAGenericInterfaceCollapsesBehindAJdkProxy() throws Exception {
        try (Application application = Application.start(ProxiesByInterface.class)) {
            Finder<Long, String> finder = finder(application);
            collapses(application, "generic", () -> finder.find(7L), "name 7");
            Batches<Long, String, Locale> batches = application.get(Batches.class);
            collapses(application, "batches", () -> batches.find(7L, Locale.GERMAN), "name 7 in de");
        }
    }

    @Test
    void proxyWhoseLastInterceptorMakesTheCallCollapses() throws Exception {
        try (Application application = Application.start(SpringClient.class)) {
            Finder<Long, String> finder = finder(application);
            collapses(application, "generic", () -> finder.find(7L), "name 7");
        }
    }

    @SuppressWarnings("unchecked")
    private static Finder<Long, String> finder(Application application) {
        return application.get(Finder.class);
    }

    @Test
    void httpInterfaceCollapses() throws Exception {
        try (Application application = Application.start(HttpInterface.class)) {
            Client client = application.get(Client.class);
            collapses(application, "http", () -> client.user(7), "answer to /users/7");
        }
    }

    private static void callsBothAlone(Application application, Names one, Names other) throws Exception {
        Gate gate = application.get(Gate.class);
        gate.shut();
        List<FutureTask<String>> calls = List.of(Burst.start(() -> one.find(7L)), Burst.start(() -> other.find(7L)));
        await().until(() -> gate.executions().size() == 2);
        gate.open();
        Set<String> answers = new HashSet<>();
        for (FutureTask<String> call : calls) {
            answers.add(call.get());
        }
        assertThat(answers).containsExactly("name 7");
    }

    @Test
    void objectsOfAPrototypeBeanDoNotShare() throws Exception {
        try (Application application = Application.start(Prototypes.class)) {
            callsBothAlone(
                    application,
                    application.get(Names.class),
                    application.context().getBean(Names.class));
        }
    }

    @Test
    void objectsBehindAScopedProxyDoNotShare() throws Exception {
        try (Application application = Application.start(Scoped.class)) {
            Names names = application.get(Names.class);
            callsBothAlone(application, names, names);
        }
    }
}
