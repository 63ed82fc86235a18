package io.github.collapseexecutor.spring.boot.config;

import io.github.collapseexecutor.spring.boot.config.ShownConfiguration.Part;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/**
 * Two queries, two languages, two users and nobody, each asked by two callers at once, of a service whose answer repeats the question.
 * The service answers nobody before it has seen each question that the configuration tells apart. So wrong sharing does not depend on
 * time: questions that are mixed up never arrive, and their callers get the answer to another one.
 */
final class QuestionsAtOnce {

    /** Sends a question. */
    interface Client {
        @Nullable String get(String target, Map<String, String> headers) throws Exception;
    }

    private static final int CALLERS_OF_EACH = 2;

    /** Only a configuration that mixes questions up lets the service wait so long. */
    private static final long SECONDS_FOR_QUESTIONS = 5;

    private record Question(
            String query, String language, @Nullable String user) {

        static List<Question> all() {
            List<Question> all = new ArrayList<>();
            for (String query : List.of("red", "blue")) {
                for (String language : List.of("en", "de")) {
                    for (String user : new @Nullable String[] {null, "Bearer alice", "Bearer bob"}) {
                        all.add(new Question(query, language, user));
                    }
                }
            }
            return all;
        }

        /** What counts of it. */
        Question with(Set<Part> counts) {
            return new Question(
                    counts.contains(Part.QUERY) ? query : "",
                    counts.contains(Part.LANGUAGE) ? language : "",
                    counts.contains(Part.USER) ? user : "");
        }
    }

    // immutable
    private final Set<Part> counts;
    private final CountDownLatch toArrive;

    // mutable, guarded by this
    private final Set<Question> arrived = new HashSet<>();
    private final List<String> mistakes = new ArrayList<>();

    QuestionsAtOnce(Set<Part> counts) {
        this.counts = counts;
        this.toArrive = new CountDownLatch((int) Question.all().stream()
                .map(question -> question.with(counts))
                .distinct()
                .count());
    }

    /** What the service says, once it has seen all. */
    String answer(String target, UnaryOperator<@Nullable String> header) {
        Question question = new Question(
                target.substring(target.indexOf("q=") + 2),
                String.valueOf(header.apply("Accept-Language")),
                header.apply("Authorization"));
        synchronized (this) {
            if (arrived.add(question.with(counts))) {
                toArrive.countDown();
            }
        }
        try {
            if (!toArrive.await(SECONDS_FOR_QUESTIONS, TimeUnit.SECONDS)) {
                synchronized (this) {
                    mistakes.add("only these questions came: " + arrived);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return question.toString();
    }

    void ask(String path, Client client) throws Exception {
        Map<FutureTask<@Nullable String>, Question> callers = new LinkedHashMap<>();
        for (Question question : Question.all()) {
            Map<String, String> headers = new LinkedHashMap<>(Map.of("Accept-Language", question.language()));
            if (question.user() != null) {
                headers.put("Authorization", question.user());
            }
            for (int i = 0; i < CALLERS_OF_EACH; i++) {
                callers.put(new FutureTask<>(() -> client.get(path + "?q=" + question.query(), headers)), question);
            }
        }
        callers.keySet().forEach(caller -> new Thread(caller, "caller").start());
        for (Map.Entry<FutureTask<@Nullable String>, Question> caller : callers.entrySet()) {
            String answer = caller.getKey().get(60, TimeUnit.SECONDS);
            synchronized (this) {
                if (Question.all().stream()
                        .filter(question ->
                                question.with(counts).equals(caller.getValue().with(counts)))
                        .noneMatch(question -> question.toString().equals(answer))) {
                    mistakes.add(caller.getValue() + " got " + answer);
                }
            }
        }
    }

    synchronized List<String> mistakes() {
        return List.copyOf(mistakes);
    }

    /** The service of a server under test. */
    interface Answering {
        void present(QuestionsAtOnce questions);
    }

    /** On a server of servlets. */
    @RestController
    static class Controller implements Answering {

        // mutable, set before anybody asks
        private volatile @Nullable QuestionsAtOnce questions;

        @Override
        public void present(QuestionsAtOnce next) {
            questions = next;
        }

        @GetMapping("/**")
        String answer(HttpServletRequest request) {
            return questions.answer(request.getRequestURI() + "?" + request.getQueryString(), request::getHeader);
        }
    }

    /** On a reactive server. */
    @RestController
    static class ReactiveController implements Answering {

        // mutable, set before anybody asks
        private volatile @Nullable QuestionsAtOnce questions;

        @Override
        public void present(QuestionsAtOnce next) {
            questions = next;
        }

        @GetMapping("/**")
        Mono<String> answer(ServerHttpRequest request) {
            return Mono.fromFuture(CompletableFuture.supplyAsync(
                    () -> questions.answer(
                            request.getURI().toString(),
                            name -> request.getHeaders().getFirst(name)),
                    task -> new Thread(task, "service").start()));
        }
    }
}
