package io.github.collapseexecutor.spring.annotation.lab;

import io.github.collapseexecutor.spring.annotation.lab.MethodBackend.Sight;
import io.github.collapseexecutor.spring.annotation.lab.MethodSetup.Aspect;
import io.github.collapseexecutor.spring.annotation.lab.MethodSetup.Form;
import io.github.collapseexecutor.spring.annotation.lab.MethodSetup.Item;
import io.github.collapseexecutor.spring.annotation.lab.MethodSetup.Kind;
import io.github.collapseexecutor.spring.annotation.lab.MethodSetup.Quirk;
import io.github.collapseexecutor.spring.annotation.lab.MethodSetup.Shape;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The source of a set-up: one class with the configuration, the bean and its interface, as an application would write them. */
final class MethodSource {

    private static final String IMPORTS = Stream.of(
                    "io.github.collapseexecutor.core",
                    "io.github.collapseexecutor.spring.annotation",
                    "io.github.collapseexecutor.spring.annotation.lab",
                    "io.github.collapseexecutor.spring.annotation.lab.MethodBackend",
                    "java.util",
                    "java.util.concurrent",
                    "org.springframework.aop.support",
                    "org.springframework.cache.annotation",
                    "org.springframework.context.annotation",
                    "org.springframework.scheduling.annotation",
                    "org.springframework.security.access.prepost",
                    "org.springframework.security.authorization.method",
                    "org.springframework.transaction.annotation",
                    "reactor.core.publisher")
            .map(imported -> "import " + imported + ".*;\n")
            .collect(
                    Collectors.joining(
                            "",
                            "package lab;\n",
                            "import jakarta.validation.constraints.NotNull; import org.springframework.validation.annotation.Validated;\n"));

    // immutable
    private final MethodSetup setup;
    private final String item;
    private final String content;

    private MethodSource(MethodSetup setup) {
        this.setup = setup;
        this.item = boxed(setup.item());
        this.content = switch (setup.content()) {
            case TEXT -> "String";
            case RECORD -> "Content<" + item + ">";
            case LIST -> "List<String>";
        };
    }

    static String nameOf(MethodSetup setup) {
        return "Seed" + setup.seed();
    }

    static String of(MethodSetup setup) {
        return new MethodSource(setup).whole();
    }

    private static String boxed(Item item) {
        return switch (item) {
            case LONG, PRIMITIVE -> "Long";
            case TEXT -> "String";
            case RECORD -> "Key";
            case ENUM -> "Letter";
            case UUID -> "UUID";
        };
    }

    private String whole() {
        String top =
                setup.shape() == Shape.GENERIC_CLASS ? base() : setup.shape().hasInterface() ? api() : "";
        return IMPORTS + "public class " + nameOf(setup) + " {\n" + config() + top + service() + "}\n";
    }

    private String config() {
        StringBuilder config = new StringBuilder("@Configuration(proxyBeanMethods = false)\n");
        enable(config, "TransactionManagement", Aspect.TRANSACTION);
        if (setup.has(Aspect.CACHE)) {
            enable(config, "Caching", Aspect.CACHE);
        }
        if (setup.has(Aspect.ASYNC)) {
            enable(config, "Async", Aspect.ASYNC);
        }
        config.append("public static class Config {\n");
        if (setup.has(Aspect.SECURITY)) {
            config.append(advisor(
                    "security",
                    "AuthorizationManagerBeforeMethodInterceptor advisor ="
                            + " AuthorizationManagerBeforeMethodInterceptor.preAuthorize();",
                    Aspect.SECURITY));
        }
        if (setup.has(Aspect.GUARD)) {
            config.append(advisor("guard", named("MethodLab.guard()", "\"find\""), Aspect.GUARD));
        }
        if (setup.has(Aspect.RETRY)) {
            config.append(
                    advisor("retry", named("RetryOfThisLine.interceptor()", "\"find\", \"findAll\""), Aspect.RETRY));
        }
        boolean scoped = setup.sights().contains(Sight.SCOPED);
        if (scoped) {
            config.append("@Bean @Scope(scopeName = \"request\", proxyMode = ScopedProxyMode.TARGET_CLASS) "
                    + "MethodBackend.Scoped scoped() { return new MethodBackend.Scoped(); }\n");
        }
        if (setup.identity()) {
            config.append("@Bean CallerIdentity identity() { return MethodBackend::tenant; }\n");
        }
        config.append("@Bean Service service(MethodBackend backend")
                .append(scoped ? ", MethodBackend.Scoped scoped" : "")
                .append(") { return new Service(backend); }\n}\n");
        return config.toString();
    }

    private void enable(StringBuilder config, String what, Aspect aspect) {
        config.append(
                "@Enable%s(proxyTargetClass = %s, order = %d)\n".formatted(what, setup.classProxies(), order(aspect)));
    }

    private int order(Aspect aspect) {
        return 1_000 + 100 * setup.aspects().indexOf(aspect);
    }

    private static String named(String advice, String methods) {
        return "NameMatchMethodPointcut where = new NameMatchMethodPointcut(); where.setMappedNames(" + methods + ");"
                + " DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(where, " + advice + ");";
    }

    private String advisor(String name, String made, Aspect aspect) {
        return "@Bean @Role(org.springframework.beans.factory.config.BeanDefinition.ROLE_INFRASTRUCTURE)\n"
                + "static org.springframework.aop.Advisor " + name + "() throws Exception { " + made
                + " advisor.setOrder(" + order(aspect) + "); return advisor; }\n";
    }

    /** The annotations of the method, as they would stand on it. */
    private String annotations() {
        StringBuilder text = new StringBuilder();
        if (setup.kind() == Kind.SHARED) {
            text.append("@Collapsible(name = \"lab\", acrossUsers = ").append(setup.acrossUsers());
            text.append(setup.keyed() ? ", key = \"#p0\")\n" : ")\n");
        } else {
            text.append("@CollapseBatch(name = \"lab\", method = \"findAll\", acrossUsers = ")
                    .append(setup.acrossUsers());
            switch (setup.form()) {
                case IN_ORDER -> text.append(", inOrder = true");
                case BY_KEY, FLUX -> text.append(", itemKey = \"id\"");
                default -> {}
            }
            text.append(setup.missingFails() ? ", missing = MissingKeyPolicy.FAILURE)\n" : ")\n");
        }
        for (Aspect aspect : setup.aspects()) {
            text.append(
                    switch (aspect) {
                        case TRANSACTION -> "@Transactional\n";
                        case CACHE -> "@Cacheable(\"lab\")\n";
                        case ASYNC -> "@Async\n";
                        case SECURITY -> "@PreAuthorize(\"hasAuthority('READ')\")\n";
                        case GUARD, RETRY, VALIDATION -> "";
                    });
        }
        return text.toString();
    }

    private String batchAnnotations() {
        return setup.batchInTransaction() ? "@Transactional\n" : "";
    }

    private String wrapped(String value) {
        return switch (setup.wrapper()) {
            case PLAIN -> value;
            case OPTIONAL -> "Optional<" + value + ">";
            case FUTURE -> "CompletableFuture<" + value + ">";
            case STAGE -> "CompletionStage<" + value + ">";
            case FUTURE_OPTIONAL -> "CompletableFuture<Optional<" + value + ">>";
            case MONO -> "Mono<" + value + ">";
            case MONO_OPTIONAL -> "Mono<Optional<" + value + ">>";
        };
    }

    /** What the batch method finds, not yet handed over. */
    private String several(String key, String value) {
        return switch (setup.form()) {
            case MAP -> "Map<" + key + ", " + value + ">";
            case KEYED_RESULT -> "KeyedResult<" + key + ", " + value + ">";
            case IN_ORDER, FLUX -> "List<" + value + ">";
            case BY_KEY -> (setup.quirk() == Quirk.REORDERED ? "Set<" : "Collection<") + value + ">";
        };
    }

    private String handedOver(String key, String value) {
        String several = several(key, value);
        if (setup.form() == Form.FLUX) {
            return "Flux<" + value + ">";
        }
        return switch (setup.wrapper()) {
            case PLAIN, OPTIONAL -> several;
            case FUTURE, FUTURE_OPTIONAL -> "CompletableFuture<" + several + ">";
            case STAGE -> "CompletionStage<" + several + ">";
            case MONO, MONO_OPTIONAL -> "Mono<" + several + ">";
        };
    }

    /** What a method for many items returns, not yet handed over. */
    private String many(String key, String value) {
        return setup.form() == Form.MAP || setup.form() == Form.KEYED_RESULT
                ? "Map<" + key + ", " + value + ">"
                : "List<" + value + ">";
    }

    private String single(String key, String value, String constraint) {
        boolean many = setup.kind() == Kind.MANY;
        String asked = many ? "List<" + key + ">" : setup.item() == Item.PRIMITIVE ? "long" : key;
        return wrapped(many ? many(key, value) : value) + " find(" + asked + " item, " + constraint
                + "String other) throws Exception";
    }

    private String batch(String key, String value) {
        return handedOver(key, value) + " findAll(" + setup.items() + "<" + key
                + "> items, String other) throws Exception";
    }

    private String constraint() {
        return setup.has(Aspect.VALIDATION) ? "@NotNull " : "";
    }

    private String api() {
        boolean generic = setup.shape().isGeneric();
        boolean annotated = setup.shape() != Shape.IMPLEMENTATION;
        boolean implemented = setup.shape() == Shape.DEFAULT_METHOD;
        String key = generic ? "K" : item;
        String value = generic ? "V" : content;
        StringBuilder api = new StringBuilder("public interface Api" + (generic ? "<K, V>" : "") + " {\n");
        api.append(annotated ? annotations() : "")
                .append(implemented ? "default " : "")
                .append(single(key, value, constraint()))
                .append(implemented ? " {\n" + singleBody("backend().") + "}\n" : ";\n");
        if (setup.kind() != Kind.SHARED) {
            api.append(annotated ? batchAnnotations() : "")
                    .append(batch(key, value))
                    .append(";\n");
        }
        if (implemented) {
            api.append("MethodBackend backend();\n");
        }
        return api.append(content(implemented ? "" : "private ", implemented))
                .append("}\n")
                .toString();
    }

    private String base() {
        StringBuilder base = new StringBuilder("public abstract static class Base<K, V> {\n");
        base.append(annotations())
                .append("public abstract ")
                .append(single("K", "V", constraint()))
                .append(";\n");
        if (setup.kind() != Kind.SHARED) {
            base.append(batchAnnotations())
                    .append("public abstract ")
                    .append(batch("K", "V"))
                    .append(";\n");
        }
        return base.append("}\n").toString();
    }

    private String service() {
        boolean own = setup.shape() == Shape.CLASS || setup.shape() == Shape.IMPLEMENTATION;
        String types = setup.shape().isGeneric() ? "<" + item + ", " + content + ">" : "";
        String extended = setup.shape() == Shape.GENERIC_CLASS
                ? " extends Base" + types
                : setup.shape().hasInterface() ? " implements Api" + types : "";
        StringBuilder service = new StringBuilder(setup.has(Aspect.VALIDATION) ? "@Validated\n" : "");
        service.append("public static class Service").append(extended).append(" {\n");
        service.append("private final MethodBackend backend; public Service() { this(null); } "
                + "public Service(MethodBackend backend) { this.backend = backend; }\n");
        if (setup.shape() == Shape.DEFAULT_METHOD) {
            service.append("@Override public MethodBackend backend() { return backend; }\n");
        } else {
            service.append(own ? annotations() : "@Override ")
                    .append("public ")
                    .append(single(item, content, setup.shape() == Shape.CLASS ? constraint() : ""))
                    .append(" {\n")
                    .append(singleBody("backend."))
                    .append("}\n");
        }
        if (setup.kind() != Kind.SHARED) {
            service.append(own ? batchAnnotations() : "@Override ")
                    .append("public ")
                    .append(batch(item, content))
                    .append(" {\n")
                    .append(batchBody())
                    .append("}\n");
        }
        boolean inherited = setup.shape() == Shape.DEFAULT_METHOD;
        return service.append(inherited ? "" : content("private ", true))
                .append("}\n")
                .toString();
    }

    /** Makes an answer out of the text of the backend. */
    private String content(String visibility, boolean present) {
        String made = switch (setup.content()) {
            case TEXT -> "text";
            case RECORD -> "new Content<>(item, text)";
            case LIST -> "List.of(text)";
        };
        return present
                ? visibility + (visibility.isEmpty() ? "default " : "") + content + " content(" + item
                        + " item, String text) { return text == null ? null : " + made + "; }\n"
                : "";
    }

    private String singleBody(String backend) {
        String named = setup.keyed() ? "\"x\"" : "other";
        String text;
        if (setup.kind() == Kind.MANY) {
            text = "String version = " + backend + "begin(other);\n"
                    + "Map<" + item + ", " + content + "> found = new LinkedHashMap<>();\n"
                    + "for (" + item + " each : item) {\n" + failing("each")
                    + content + " answer = content(each, " + backend + "of(each, other, seen, version));\n"
                    + "if (answer != null || " + (setup.form() == Form.IN_ORDER) + ") found.put(each, answer);\n}\n"
                    + (many(item, content).startsWith("Map")
                            ? "return found;\n"
                            : setup.form() == Form.IN_ORDER
                                    ? "List<" + content + "> list = new ArrayList<>();\n"
                                            + "for (" + item + " each : item) list.add(found.get(each));\n"
                                            + "return list;\n"
                                    : "return new ArrayList<>(found.values());\n");
        } else {
            text = "String version = " + backend + "begin(" + named + ");\n" + failing("item")
                    + content + " found = content(item, " + backend + "of(item, " + named + ", seen, version));\n"
                    + (setup.wrapper().isOptional() ? "return Optional.ofNullable(found);\n" : "return found;\n");
        }
        return handed(backend, text);
    }

    private String failing(String variable) {
        return setup.form() == Form.KEYED_RESULT
                ? "if (String.valueOf(" + variable
                        + ").matches(\".*(3|C).*\")) throw new IllegalStateException(\"failed \" + " + variable + ");\n"
                : "";
    }

    private String handed(String backend, String text) {
        if (setup.wrapper().isPlain()) {
            return "String seen = " + backend + "seen();\n" + text;
        }
        return "return " + backend + (setup.wrapper().isMono() ? "each" : "later") + "(seen -> {\n" + text + "});\n";
    }

    private String batchBody() {
        Quirk quirk = setup.quirk();
        StringBuilder text = new StringBuilder("List<" + item + "> asked = new ArrayList<>();\n"
                + "for (" + item + " each : items) asked.add(each);\n"
                + (quirk == Quirk.REORDERED ? "Collections.reverse(asked);\n" : "")
                + "String version = backend.begin(other);\n"
                + "Map<" + item + ", " + content + "> found = new LinkedHashMap<>();\n"
                + "Map<" + item + ", Throwable> failures = new LinkedHashMap<>();\n"
                + "for (" + item + " each : asked) {\n");
        if (setup.form() == Form.KEYED_RESULT) {
            text.append("if (String.valueOf(each).matches(\".*(3|C).*\")) { "
                    + "failures.put(each, new IllegalStateException(\"failed \" + each)); continue; }\n");
        }
        text.append(content + " answer = content(each, backend.of(each, other, seen, version));\n"
                + "if (answer != null || " + (quirk == Quirk.NULLS) + ") found.put(each, answer);\n}\n");
        if (quirk == Quirk.MORE) {
            text.append("found.put(" + unasked() + ", content(" + unasked() + ", \"unasked\"));\n");
        }
        text.append(
                switch (setup.form()) {
                    case MAP -> "return found;\n";
                    case KEYED_RESULT -> "return KeyedResult.of(found, failures);\n";
                    case IN_ORDER -> "return new ArrayList<>(found.values());\n";
                    case FLUX ->
                        "List<" + content + "> list = new ArrayList<>(found.values());\n"
                                + (quirk == Quirk.REPEATED ? "list.addAll(found.values());\n" : "") + "return list;\n";
                    case BY_KEY -> {
                        String type = quirk == Quirk.REORDERED ? "LinkedHashSet" : "ArrayList";
                        yield "Collection<" + content + "> list = new ArrayList<>(found.values());\n"
                                + (quirk == Quirk.REPEATED ? "list.addAll(found.values());\n" : "") + "return new "
                                + type
                                + "<>(list);\n";
                    }
                });
        if (setup.form() == Form.FLUX) {
            return "return backend.<List<" + content + ">>each(seen -> {\n" + text
                    + "}).flatMapIterable(list -> list);\n";
        }
        return handed("backend.", text.toString());
    }

    private String unasked() {
        return switch (setup.item()) {
            case LONG, PRIMITIVE -> "99L";
            case TEXT -> "\"99\"";
            case RECORD -> "new Key(99)";
            case ENUM -> "Letter.E";
            case UUID -> "new UUID(0, 99)";
        };
    }
}
