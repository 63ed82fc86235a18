package io.github.collapseexecutor.http;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachLine;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * H41: what an adapter wraps, copies or stands for is complete. A walk over the API that runs, on each line of Boot, finds every method that a class
 * of this library inherits as it is; each of them stands below with the reason why that is right. So a method that a newer API adds fails here.
 */
@OnEachLine
class CompletenessTests {

    private static final String ROOT = CompletenessTests.class.getPackageName() + ".";

    /** Types of others that are no part of a request or response. */
    private static final Map<String, String> NO_PART = Map.of(
            "reactor.core.publisher.BaseSubscriber", "it ends in the hooks, which its subclasses override",
            "org.reactivestreams.Subscription", "of BaseSubscriber",
            "org.reactivestreams.Subscriber", "of BaseSubscriber",
            "reactor.core.CoreSubscriber", "of BaseSubscriber",
            "reactor.core.Disposable", "of BaseSubscriber",
            "okhttp3.EventListener", "it listens to one event, beside the client's own listener",
            "feign.Capability", "it changes the client and no other part of Feign",
            "jakarta.servlet.Filter", "destroy() has nothing to end");

    private static final String READING = "(get|is|contains|encode)\\w*\\(.*\\)|(to|hash)\\w+\\(\\)|equals\\(Object\\)";

    /**
     * Why a class inherits methods.
     *
     * @param methods a pattern of names with the simple names of their parameters' types
     */
    private record Inherited(String reason, String methods) {}

    private static final Map<String, List<Inherited>> INHERITED = Map.ofEntries(
            entry(
                    "client.CollapseClientHttpRequestFactory",
                    List.of(new Inherited(
                            "Spring's base class ends in our method with the factory behind",
                            "createRequest\\(URI,HttpMethod\\)|getDelegate\\(\\)"))),
            entry(
                    "client.CollapseHttpRequestInterceptor",
                    List.of(new Inherited("it composes, and ends in intercept", "andThen\\(.*\\)|apply\\(.*\\)"))),
            entry(
                    "client.CollapsingRequest$Streaming",
                    List.of(new Inherited("it ends in setBody(Body)", "setBody\\(byte\\[\\]\\)"))),
            entry("client.SpringCopiedResponse", List.of(rawStatus())),
            entry("client.DelegatingResponse", List.of(rawStatus())),
            entry("client.SpringExchange$1", List.of(rawStatus())),
            entry("client.ResumedResponse", List.of(rawStatus())),
            entry("client.UnreadableResponse", List.of(rawStatus())),
            entry("feign.CopiedBody", List.of(new Inherited("it ends in asReader(Charset)", "asReader\\(\\)"))),
            entry("feign.ResumedBody", List.of(new Inherited("it ends in asReader(Charset)", "asReader\\(\\)"))),
            entry(
                    "hc5.CopiedEntity",
                    List.of(
                            new Inherited("the base class was given what it shows", READING),
                            new Inherited("it ends in getContent()", "writeTo\\(OutputStream\\)"))),
            entry("hc5.ResumedEntity", List.of(new Inherited("it shows what the entity shows", READING))),
            entry(
                    "jdk.CollapseHttpClient",
                    List.of(new Inherited("it ends in shutdown() and awaitTermination(Duration)", "close\\(\\)"))),
            entry(
                    "jdk.UnreadResponse$StoredExchange",
                    List.of(new Inherited(
                            "another instance's connection is not known: empty, as the interface says",
                            "connectionLabel\\(\\)"))),
            entry(
                    "reactive.CollapseExchangeFilterFunction",
                    List.of(new Inherited("it composes, and ends in filter", "andThen\\(.*\\)|apply\\(.*\\)"))),
            entry(
                    "reactive.ReactiveCopiedResponse",
                    List.of(new Inherited("the base class was given what it shows", READING))),
            entry(
                    "reactive.RecordedRequest",
                    List.of(
                            new Inherited("the base class keeps what it shows", READING),
                            new Inherited(
                                    "the base class applies it to the request that is sent",
                                    "applyAttributes\\(\\)|doCommit\\(Supplier\\)|initReadOnlyHeaders\\(\\)"))),
            entry(
                    "reactive.ReactiveWatchedRequest",
                    List.of(new Inherited("it ends in attributes()", "attribute\\(String\\)"))),
            entry(
                    "servlet.ServletCapturedResponse",
                    List.of(
                            new Inherited(
                                    "it shows what the container's own response shows",
                                    "get(BufferSize|CharacterEncoding|ContentType|Locale|Status|TrailerFields|Response)\\(\\)"
                                            + "|encode(Redirect)?URL\\(String\\)|isWrapperFor\\(.*\\)"),
                            new Inherited(
                                    "a container puts another response in, by an include", "setResponse\\(.*\\)"))),
            entry(
                    "servlet.HandlerOutput$BodyStream",
                    List.of(new Inherited(
                            "it ends in write(byte[], int, int)", "print(ln)?\\(.*\\)|write\\(ByteBuffer\\)"))),
            entry(
                    "servlet.LeaderRequest",
                    List.of(
                            new Inherited("it shows what the leader's own request shows", READING),
                            new Inherited(
                                    "it changes the leader's own request; user and session are looked at again when the head"
                                            + " is final",
                                    "(authenticate|login|logout|changeSessionId|removeAttribute|setCharacterEncoding"
                                            + "|setRequest)\\(.*\\)"),
                            new Inherited(
                                    "a request that can be upgraded does not collapse, a push is the server's",
                                    "upgrade\\(Class\\)|newPushBuilder\\(\\)"))),
            entry(
                    "webflux.WebFluxCapturedResponse",
                    List.of(
                            new Inherited(
                                    "the base class keeps it until our hooks apply it",
                                    READING
                                            + "|addCookie\\(.*\\)|set(Raw)?StatusCode\\(.*\\)|beforeCommit\\(Supplier\\)"
                                            + "|doCommit\\(.*\\)|touchDataBuffer\\(DataBuffer\\)"),
                            new Inherited(
                                    "the base class is given the buffers, and ends in our hooks",
                                    "bufferFactory\\(\\)|writeWith\\(Publisher\\)|writeAndFlushWith\\(Publisher\\)"))),
            entry(
                    "webflux.FileResponse",
                    List.of(
                            new Inherited(
                                    "of CapturedResponse",
                                    READING
                                            + "|addCookie\\(.*\\)|set(Raw)?StatusCode\\(.*\\)|beforeCommit\\(Supplier\\)"
                                            + "|doCommit\\(.*\\)|touchDataBuffer\\(DataBuffer\\)|bufferFactory\\(\\)"
                                            + "|writeWith\\(Publisher\\)|writeAndFlushWith\\(Publisher\\)"),
                            new Inherited("it ends in writeWith(Path, long, long)", "writeWith\\(File,long,long\\)"))),
            entry(
                    "webflux.HandlerExchange",
                    List.of(
                            new Inherited("it shows what the exchange shows", READING),
                            new Inherited("it is done to the exchange itself", "cleanupMultipart\\(\\)|mutate\\(\\)"))),
            entry(
                    "webflux.NotedHeaders",
                    List.of(
                            new Inherited("it shows what the map shows", READING),
                            new Inherited(
                                    "the base class ends in a method that notes, or changes nothing",
                                    "(addAll|addIfAbsent|asSingleValueMap|clear|forEach|keySet|entrySet|putIfAbsent|remove"
                                            + "|setAll|size|values|toSingleValueMap)\\(.*\\)"))),
            entry("webflux.SteadyRequest", List.of(decorated())),
            entry("webflux.HandlerRequest", List.of(decorated())));

    private static Inherited rawStatus() {
        return new Inherited("it ends in getStatusCode()", "getRawStatusCode\\(\\)");
    }

    private static Inherited decorated() {
        return new Inherited("it shows what the request shows", READING + "|mutate\\(\\)");
    }

    /** What each class inherits from types of others without a word. */
    private static Map<String, Set<String>> inherited() throws Exception {
        Path classes = Path.of(CollapsePolicy.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path folder = classes.resolve(ROOT.replace('.', '/'));
        Map<String, Set<String>> all = new TreeMap<>();
        for (Path file : classFiles(folder)) {
            String name = folder.relativize(file).toString().replace('/', '.').replace(".class", "");
            Class<?> type = Class.forName(ROOT + name, false, CompletenessTests.class.getClassLoader());
            if (!type.isInterface()) {
                all.put(name, inheritedBy(type));
            }
        }
        return all;
    }

    private static List<Path> classFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".class")).toList();
        }
    }

    private static Set<String> inheritedBy(Class<?> type) {
        Set<String> methods = new TreeSet<>();
        for (Class<?> api : typesOfOthers(type)) {
            if (NO_PART.containsKey(api.getName())) {
                continue;
            }
            for (Method method : api.getDeclaredMethods()) {
                if (isOverridable(method) && !isOurs(type, method)) {
                    methods.add(method.getName()
                            + Arrays.stream(method.getParameterTypes())
                                    .map(Class::getSimpleName)
                                    .collect(Collectors.joining(",", "(", ")")));
                }
            }
        }
        return methods;
    }

    /** The types of libraries that a class extends or implements, at any distance. */
    private static Set<Class<?>> typesOfOthers(Class<?> type) {
        Set<Class<?>> found = new LinkedHashSet<>();
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            addType(above, found);
        }
        return found;
    }

    private static void addType(Class<?> type, Set<Class<?>> found) {
        boolean ofTheJdk = type.getName().startsWith("java.") && !type.getName().startsWith("java.net.http.");
        if (!isOfThisLibrary(type) && !ofTheJdk) {
            found.add(type);
        }
        for (Class<?> implemented : type.getInterfaces()) {
            addType(implemented, found);
        }
    }

    private static boolean isOverridable(Method method) {
        int modifiers = method.getModifiers();
        return !method.isSynthetic()
                && !Modifier.isStatic(modifiers)
                && !Modifier.isFinal(modifiers)
                && (Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers));
    }

    private static boolean isOurs(Class<?> type, Method method) {
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            if (isOfThisLibrary(above)
                    && Arrays.stream(above.getDeclaredMethods())
                            .anyMatch(own -> own.getName().equals(method.getName())
                                    && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfThisLibrary(Class<?> type) {
        return type.getName().startsWith("io.github.collapseexecutor.");
    }

    @Test
    void H41_everyMethodOfTheRunningApiIsOverriddenOrInheritedForAReason() throws Exception {
        Map<String, List<String>> unexplained = new LinkedHashMap<>();
        inherited().forEach((name, methods) -> {
            List<String> left = new ArrayList<>(methods);
            for (Inherited known : INHERITED.getOrDefault(name, List.of())) {
                left.removeIf(method -> method.matches(known.methods()));
            }
            if (!left.isEmpty()) {
                unexplained.put(name, left);
            }
        });
        assertThat(unexplained).isEmpty();
    }

    @Test
    void theWalkSeesTheTypesOfEveryAdapter() throws Exception {
        Map<String, Set<String>> inherited = inherited();
        assertThat(inherited.keySet()).containsAll(INHERITED.keySet());
        assertThat(inherited.keySet())
                .contains(
                        "jdk.CollapseHttpClient",
                        "jdk.UnreadResponse",
                        "servlet.LeaderContext",
                        "okhttp.LoadedCookies");
        assertThat(inherited.get("servlet.LeaderRequest")).hasSizeGreaterThan(50);
    }
}
