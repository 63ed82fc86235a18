package io.github.collapseexecutor.foreign.annotation;

import io.github.collapseexecutor.foreign.annotation.SetUp.Shape;
import io.github.collapseexecutor.foreign.annotation.SetUp.Sight;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The source of a bean and its configuration, as an application would write it. */
final class Source {

    private static final String IMPORTS = "package lab;\n"
            + Stream.of(
                            "io.github.collapseexecutor.core.*",
                            "io.github.collapseexecutor.foreign.annotation.*",
                            "io.github.collapseexecutor.foreign.annotation.Argument.*",
                            "io.github.collapseexecutor.spring.annotation.*",
                            "io.github.resilience4j.bulkhead.annotation.Bulkhead",
                            "io.github.resilience4j.circuitbreaker.annotation.CircuitBreaker",
                            "io.github.resilience4j.ratelimiter.annotation.RateLimiter",
                            "io.github.resilience4j.retry.annotation.Retry",
                            "io.github.resilience4j.timelimiter.annotation.TimeLimiter",
                            "io.micrometer.core.annotation.Counted",
                            "io.micrometer.core.annotation.Timed",
                            "io.micrometer.observation.annotation.*",
                            "java.util.*",
                            "java.util.concurrent.*",
                            "org.springframework.cache.annotation.*",
                            "org.springframework.context.annotation.*",
                            "org.springframework.http.ResponseEntity",
                            "org.springframework.retry.annotation.Backoff",
                            "org.springframework.retry.annotation.EnableRetry",
                            "org.springframework.retry.annotation.Retryable",
                            "org.springframework.scheduling.annotation.*",
                            "org.springframework.security.access.annotation.Secured",
                            "org.springframework.security.access.prepost.*",
                            "org.springframework.security.config.annotation.method.configuration.*",
                            "org.springframework.transaction.annotation.*",
                            "reactor.core.publisher.Flux",
                            "reactor.core.publisher.Mono")
                    .map(imported -> "import " + imported + ";\n")
                    .collect(Collectors.joining());

    // immutable
    private final SetUp setUp;

    private Source(SetUp setUp) {
        this.setUp = setUp;
    }

    static String nameOf(SetUp setUp) {
        return "Seed" + Long.toUnsignedString(setUp.seed());
    }

    static String of(SetUp setUp) {
        return new Source(setUp).whole();
    }

    private String whole() {
        return IMPORTS + "public class " + nameOf(setUp) + " {\n" + configuration() + api() + service() + "}\n";
    }

    private String configuration() {
        StringBuilder text = new StringBuilder("@Configuration(proxyBeanMethods = false)\n");
        text.append(enable("TransactionManagement", Layer.TRANSACTION));
        text.append(enable(
                "Caching",
                setUp.layers().stream().filter(Layer::isCache).findFirst().orElse(Layer.CACHEABLE)));
        text.append(enable("Async", Layer.ASYNC));
        text.append(enable("Retry", Layer.RETRYABLE));
        text.append("@EnableMethodSecurity(securedEnabled = true, proxyTargetClass = " + setUp.classProxies() + ")\n");
        text.append("@EnableScheduling\n@EnableAspectJAutoProxy(proxyTargetClass = " + setUp.classProxies() + ")\n");
        text.append("public static class Config {\n");
        String scope = switch (setUp.shape()) {
            case LAZY -> "@Lazy ";
            case PRIMARY -> "@Primary ";
            case PROTOTYPE -> "@Scope(\"prototype\") ";
            case REQUEST -> scoped("request");
            case SESSION -> scoped("session");
            default -> "";
        };
        text.append("@Bean " + scope + "Service service(Backend backend) { return new Service(backend); }\n");
        if (setUp.shape() == Shape.PRIMARY) {
            text.append("@Bean Service second(Backend backend) { return new Service(backend); }\n");
        }
        return text.append("}\n").toString();
    }

    private static String scoped(String scope) {
        return "@Scope(scopeName = \"" + scope + "\", proxyMode = ScopedProxyMode.TARGET_CLASS) ";
    }

    private String enable(String what, Layer layer) {
        String order = setUp.usualOrder() || !setUp.has(layer) ? "" : ", order = " + setUp.order(layer);
        return "@Enable" + what + "(proxyTargetClass = " + setUp.classProxies() + order + ")\n";
    }

    private boolean hasInterface() {
        return setUp.shape() == Shape.INTERFACE || setUp.shape() == Shape.GENERIC;
    }

    private String api() {
        String rest = (setUp.has(Layer.SCHEDULED) ? "void tick();\n" : "") + "}\n";
        if (setUp.shape() == Shape.GENERIC) {
            return "public interface Api<K, O> {\n" + method("K", "O", true) + ";\n" + batch("K", ";\n") + rest;
        }
        return setUp.shape() == Shape.INTERFACE
                ? "public interface Api {\n" + method("String", setUp.other().type, true) + ";\n"
                        + batch("String", ";\n") + rest
                : "";
    }

    /** A constraint stands where the method is declared first. */
    private String method(String key, String other, boolean isFirst) {
        String constraint = setUp.has(Layer.VALIDATED) && isFirst ? "@jakarta.validation.constraints.NotNull " : "";
        return setUp.returned().type + " find(" + constraint + key + " key, " + other + " other) throws Exception";
    }

    private String batch(String key, String rest) {
        return setUp.batched()
                ? "Map<" + key + ", String> findAll(Collection<" + key + "> keys, " + otherOf(key)
                        + " other) throws Exception" + rest
                : "";
    }

    private String otherOf(String key) {
        return key.equals("K") ? "O" : setUp.other().type;
    }

    private String annotations(boolean ofBatch) {
        String own = ofBatch
                ? ""
                : setUp.batched()
                        ? "@CollapseBatch(method = \"findAll\", " + setUp.attributes() + ")\n"
                        : "@Collapsible(" + setUp.attributes() + ")\n";
        return own
                + setUp.layers().stream()
                        .map(layer -> layer.onMethod)
                        .filter(text -> !text.isEmpty())
                        .map(this::filled)
                        .collect(Collectors.joining("\n", "", "\n"));
    }

    private String filled(String text) {
        return text.replace("%PROPAGATION%", setUp.propagation())
                .replace("%FLAG%", String.valueOf(setUp.flag()))
                .replace("%FALLBACK%", setUp.fallback() && !setUp.batched() ? ", fallbackMethod = \"fallback\"" : "");
    }

    private String service() {
        String implemented = switch (setUp.shape()) {
            case INTERFACE -> " implements Api";
            case GENERIC -> " implements Api<String, " + setUp.other().type + ">";
            default -> "";
        };
        String visibility = switch (setUp.shape()) {
            case PACKAGE_PRIVATE -> "";
            case FINAL -> "public final ";
            default -> "public ";
        };
        List<String> classes = setUp.layers().stream()
                .map(layer -> layer.onClass)
                .filter(text -> !text.isEmpty())
                .toList();
        StringBuilder text =
                new StringBuilder(String.join("\n", classes) + "\npublic static class Service" + implemented + " {\n");
        text.append("private final Backend backend;\n");
        text.append("public Service() { this(null); }\npublic Service(Backend backend) { this.backend = backend; }\n");
        if (setUp.looksAt(Sight.SCOPED)) {
            text.append("@org.springframework.beans.factory.annotation.Autowired Backend.Scoped scoped;\n");
        }
        String scoped = setUp.looksAt(Sight.SCOPED) ? "scoped" : "null";
        text.append(annotations(false))
                .append(visibility)
                .append(method("String", setUp.other().type, !hasInterface()))
                .append(" {\n");
        String asked = "text = backend.answer(key, other, " + scoped + ");";
        text.append(
                setUp.returned().isFuture()
                                || setUp.returned().isMono() // a failure is that of the future, as the guide says
                        ? "String text;\ntry { " + asked
                                + " } catch (Exception failure) { return "
                                + (setUp.returned().isMono() ? "Mono.error" : "CompletableFuture.failedFuture")
                                + "(failure); }\n"
                        : "String " + asked + "\n");
        text.append(
                setUp.returned().mayBeNull() && setUp.returned() != Returned.NOTHING
                        ? "if (text == null) return null;\n"
                        : "if (text == null) text = \"null\";\n");
        if (setUp.returned() == Returned.LATER) {
            text.append("String last = text; return CompletableFuture.supplyAsync(() -> last);\n}\n");
        } else {
            text.append(setUp.returned() == Returned.NOTHING ? "}\n" : "return " + setUp.returned().made + ";\n}\n");
        }
        if (setUp.batched()) {
            text.append(annotations(true)).append(visibility).append(batch("String", " {\n"));
            text.append("Map<String, String> found = new LinkedHashMap<>();\n")
                    .append(
                            "Map<String, Throwable> failures = new LinkedHashMap<>();\nfor (String key : keys) {\ntry {\n")
                    .append("String text = backend.answer(key, other, " + scoped
                            + ");\nif (text != null) found.put(key, text);\n")
                    .append("} catch (Exception failure) { failures.put(key, failure); }\n}\n")
                    .append("return KeyedResult.of(found, failures);\n}\n");
        }
        if (setUp.fallback()) {
            text.append("public " + setUp.returned().type + " fallback(String key, " + setUp.other().type
                    + " other, Throwable failure) throws Exception {\n");
            text.append("String text = backend.fallback(key, failure);\n");
            text.append(setUp.returned() == Returned.NOTHING ? "}\n" : "return " + setUp.returned().made + ";\n}\n");
        }
        if (setUp.has(Layer.SCHEDULED)) {
            text.append("@Scheduled(fixedDelay = 20) public void tick() { backend.tick(); }\n");
        }
        return text.append("}\n").toString();
    }
}
