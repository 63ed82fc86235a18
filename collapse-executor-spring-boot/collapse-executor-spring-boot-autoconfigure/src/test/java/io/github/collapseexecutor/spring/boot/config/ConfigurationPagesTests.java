package io.github.collapseexecutor.spring.boot.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * What somebody pastes from a page into an application gives nobody a wrong answer: each YAML with groups, and each policy that a page or
 * a message names, is driven with two queries, two languages, two users and nobody. Only what the YAML itself says does not count is
 * allowed to be mixed up.
 */
class ConfigurationPagesTests {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Pattern YAML = Pattern.compile("(?ms)^```yaml\\n(.*?)^```$");

    /** What a page or a message says about a policy within a sentence. */
    private static final Pattern OF_POLICY = Pattern.compile(
            "[`\"](?:by-\\S+ )?(\\{?(?:collapse-request|collapse-client|share-across|strip-set|strict)[a-z-]*: [^`\"]+)[`\"]");

    /** One YAML of a page. */
    record Shown(String page, String yaml) {
        @Override
        public String toString() {
            return page;
        }
    }

    static List<Shown> shown() throws IOException {
        List<Shown> all = new ArrayList<>();
        for (Path page : pages()) {
            String name = ROOT.relativize(page).toString();
            String text = Files.readString(page);
            YAML.matcher(text)
                    .results()
                    .map(match -> match.group(1))
                    .filter(yaml -> yaml.contains("collapse-groups"))
                    .forEach(yaml -> all.add(new Shown(name + " " + all.size(), yaml)));
            policiesIn(text).forEach(policy -> all.add(withPolicy(name, policy)));
        }
        policiesIn(UnknownProperty.POLICY_EXAMPLE).forEach(policy -> all.add(withPolicy("a message", policy)));
        return all;
    }

    /** A page in two languages, and pages with one example, are driven once. */
    static Stream<Shown> different() throws IOException {
        Map<String, Shown> different = new LinkedHashMap<>();
        shown().forEach(shown -> different.putIfAbsent(shown.yaml(), shown));
        return different.values().stream();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(page -> page.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    private static Stream<String> policiesIn(String text) {
        return OF_POLICY
                .matcher(text)
                .results()
                .map(match -> match.group(1).replaceAll("[{}]", ""))
                .distinct();
    }

    private static Shown withPolicy(String page, String policy) {
        return new Shown(page + " " + policy, """
                collapse.executor.servlet:
                  collapse-policies:
                    mine: {%s}
                  collapse-groups:
                    - uris: /user/*
                      collapse-policy-name: mine
                """.formatted(policy));
    }

    @Test
    void everySectionIsShownSomewhere() throws IOException {
        List<Shown> all = shown();
        assertThat(all).hasSizeGreaterThan(15);
        for (String section : List.of("rest-template", "web-client", "servlet", "webflux")) {
            assertThat(all).anyMatch(shown -> shown.yaml().contains(section + ":"));
        }
        assertThat(all)
                .extracting(Shown::yaml)
                .anyMatch(yaml -> yaml.contains("strip-set-cookie: true"))
                .anyMatch(yaml -> yaml.contains("share-across-users: true"))
                .anyMatch(yaml -> yaml.contains("x-tenant"));
    }

    @ParameterizedTest
    @MethodSource("different")
    void H12_nobodyGetsAnAnswerToAnotherQuestion(Shown shown) throws Exception {
        ShownConfiguration configuration = ShownConfiguration.of(shown.yaml());
        for (String section : configuration.sections()) {
            switch (section) {
                case "rest-template", "web-client" -> driveClients(shown, configuration, section);
                default -> driveServer(shown, configuration, section);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("firstPages")
    void theFirstConfigurationOfAPageIgnoresNothing(String page) throws IOException {
        Shown first = shown().stream()
                .filter(shown -> shown.page().startsWith(page + " "))
                .findFirst()
                .orElseThrow();
        ShownConfiguration configuration = ShownConfiguration.of(first.yaml());
        assertThat(configuration.sections())
                .isNotEmpty()
                .allSatisfy(section -> assertThat(configuration.groups(section))
                        .isNotEmpty()
                        .allMatch(group -> group.counts().size() == ShownConfiguration.Part.values().length));
    }

    static Stream<String> firstPages() {
        return Stream.of(
                "README.md",
                "README.zh-CN.md",
                "docs/rest-client.md",
                "docs/zh-CN/rest-client.md",
                "docs/web-client.md",
                "docs/servlet.md",
                "docs/zh-CN/servlet.md",
                "docs/webflux.md");
    }

    private static void driveClients(Shown shown, ShownConfiguration configuration, String section) throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start()) {
            TestApplication application = started(configuration).alone();
            String address = origin.uri("").toString();
            for (String name : configuration.clients(section)) {
                application.with(context -> {
                    if (section.equals("web-client")) {
                        context.registerBean(
                                name,
                                WebClient.class,
                                () -> WebClient.builder().baseUrl(address).build());
                    } else {
                        context.registerBean(
                                name,
                                RestClient.class,
                                () -> RestClient.builder()
                                        .requestFactory(new SimpleClientHttpRequestFactory())
                                        .baseUrl(address)
                                        .build());
                    }
                });
            }
            try (ConfigurableApplicationContext context = application.start(configuration.yaml())) {
                for (ShownConfiguration.Group group : configuration.groups(section)) {
                    for (String name : group.clients()) {
                        QuestionsAtOnce questions = new QuestionsAtOnce(group.counts());
                        origin.answer(request -> OriginReply.ok(questions.answer(request.target(), request::header)));
                        questions.ask(
                                group.path(),
                                (target, headers) -> section.equals("web-client")
                                        ? context.getBean(name, WebClient.class)
                                                .get()
                                                .uri(URI.create(address + target))
                                                .headers(all -> headers.forEach(all::set))
                                                .retrieve()
                                                .bodyToMono(String.class)
                                                .block()
                                        : context.getBean(name, RestClient.class)
                                                .get()
                                                .uri(URI.create(address + target))
                                                .headers(all -> headers.forEach(all::set))
                                                .retrieve()
                                                .body(String.class));
                        assertThat(questions.mistakes())
                                .as("%s %s", shown, group)
                                .isEmpty();
                    }
                }
            }
        }
    }

    private static void driveServer(Shown shown, ShownConfiguration configuration, String section) throws Exception {
        TestApplication application = started(configuration);
        if (section.equals("webflux")) {
            application.withReactiveServer().with(QuestionsAtOnce.ReactiveController.class);
        } else {
            application.withServer().with(QuestionsAtOnce.Controller.class);
        }
        try (ConfigurableApplicationContext context = application.start(configuration.yaml())) {
            String address = "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
            RestClient caller = RestClient.builder()
                    .requestFactory(new SimpleClientHttpRequestFactory())
                    .build();
            for (ShownConfiguration.Group group : configuration.groups(section)) {
                QuestionsAtOnce questions = new QuestionsAtOnce(group.counts());
                context.getBean(QuestionsAtOnce.Answering.class).present(questions);
                questions.ask(
                        group.path(),
                        (target, headers) -> caller.get()
                                .uri(URI.create(address + target))
                                .headers(all -> headers.forEach(all::set))
                                .retrieve()
                                .body(String.class));
                assertThat(questions.mistakes()).as("%s %s", shown, group).isEmpty();
            }
        }
    }

    /** Calls in flight are joined, however long a slow machine holds them: the most that can be shared is. */
    private static TestApplication started(ShownConfiguration configuration) {
        TestApplication application = new TestApplication()
                .arguments("--collapse.executor.join=in-flight", "--collapse.executor.max-wait=10m");
        if (configuration.yaml().contains("cluster: true")) {
            application.arguments("--collapse.executor.cluster.enabled=false");
        }
        return application;
    }

    /** A list that is written out and empty is not the same as none, on every line of Boot and in every way of writing. */
    @Test
    void H12_anEmptyListIsWrittenOutAndMeansThatNothingOfItsKindCounts() {
        Map<String, List<Boolean>> expected = new LinkedHashMap<>();
        expected.put("strip-set-cookie: true", List.of(true, true));
        expected.put("collapse-request-queries: []", List.of(true, false));
        expected.put("collapse-request-queries:", List.of(true, false));
        expected.put("collapse-request-queries: ''", List.of(true, false));
        expected.put("collapse-request-queries: page", List.of(true, false));
        expected.put("collapse-request-headers: []", List.of(false, true));
        expected.put("collapse-request-headers: [x-a]", List.of(false, true));
        expected.put("strict: true", List.of(true, true));
        expected.forEach((yaml, counts) -> {
            String file = "collapse.executor.rest-template:\n  collapse-policies:\n    mine:\n      " + yaml
                    + "\n  collapse-groups:\n    - uris: /user/*\n      collapse-policy-name: mine\n";
            try (ConfigurableApplicationContext context =
                    new TestApplication().alone().start(file)) {
                assertThat(context.getBean(HttpSections.class)
                                .find("rest-template")
                                .http()
                                .rules()
                                .get(0)
                                .policy())
                        .as(yaml)
                        .satisfies(policy -> assertThat(List.of(policy.everyHeader(), policy.wholeQuery()))
                                .isEqualTo(counts));
            }
        });
    }
}
