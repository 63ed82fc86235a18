package io.github.collapseexecutor.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.BatchFunction;
import io.github.collapseexecutor.core.CallWrapper;
import io.github.collapseexecutor.core.JoinMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ResolvableType;

/** By which texts other instances are asked. Their answer to another text would be one to another question. */
class AskedTextsTests {

    /** Notes the texts that other instances would be asked for, and has each call made here. */
    static final class Notes implements MethodSharing, CallWrapper, BatchSharing {

        // mutable, thread-safe
        final List<Object> asked = new CopyOnWriteArrayList<>();
        volatile Runnable whileAsking = () -> {};

        private void ask(Collection<?> texts) {
            asked.addAll(texts);
            whileAsking.run();
        }

        @Override
        public CallWrapper calls(String executor, ResolvableType answer, JoinMode mode) {
            return this;
        }

        @Override
        public BatchSharing batches(String executor, ResolvableType answer, JoinMode mode) {
            return this;
        }

        @Override
        public Callable<?> wrapCall(Object group, Callable<?> callable) {
            ask(List.of(group));
            return callable;
        }

        @Override
        public Callable<? extends CompletionStage<?>> wrapStage(
                Object group, Callable<? extends CompletionStage<?>> callable) {
            ask(List.of(group));
            return callable;
        }

        @Override
        public BatchFunction<Collection<Object>, Map<Object, @Nullable Object>> share(
                BatchFunction<Collection<Object>, Map<Object, @Nullable Object>> function) {
            return keys -> {
                ask(keys);
                return function.apply(keys);
            };
        }

        @Override
        public BatchFunction<Collection<Object>, CompletionStage<Map<Object, @Nullable Object>>> shareStages(
                BatchFunction<Collection<Object>, CompletionStage<Map<Object, @Nullable Object>>> function) {
            return keys -> {
                ask(keys);
                return function.apply(keys);
            };
        }
    }

    /** Equal by its number; answers differ by the name, too, as its form says. */
    static final class Article {

        // immutable
        private final int number;

        // mutable, thread-safe
        private volatile String name;

        Article(int number, String name) {
            this.number = number;
            this.name = name;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Article article && article.number == number;
        }

        @Override
        public int hashCode() {
            return number;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Forms {

        @Bean
        KeyForm<Article> articleForm() {
            return KeyForm.of(Article.class, article -> article.name);
        }
    }

    static class Till {

        // immutable
        private final Gate gate;

        Till(Gate gate) {
            this.gate = gate;
        }

        private String answered(List<String> lines) {
            gate.pass(lines);
            return "total of " + lines;
        }

        @Collapsible(name = "plain")
        public String plain(List<String> lines) {
            return answered(List.copyOf(lines));
        }

        @Collapsible(name = "future")
        public CompletableFuture<String> future(List<String> lines) {
            List<String> asked = List.copyOf(lines);
            return CompletableFuture.supplyAsync(() -> answered(asked), task -> new Thread(task).start());
        }

        @CollapseBatch(name = "item", method = "items")
        public String item(List<String> lines) {
            throw new AssertionError("only the batch method is called");
        }

        public Map<List<String>, String> items(Collection<List<String>> all) {
            Map<List<String>, String> totals = new HashMap<>();
            List.copyOf(all).forEach(lines -> totals.put(List.copyOf(lines), answered(List.copyOf(lines))));
            return totals;
        }

        @CollapseBatch(name = "future_item", method = "futureItems")
        public CompletableFuture<String> futureItem(List<String> lines) {
            throw new AssertionError("only the batch method is called");
        }

        public CompletableFuture<Map<List<String>, String>> futureItems(Collection<List<String>> all) {
            return CompletableFuture.supplyAsync(() -> items(all), task -> new Thread(task).start());
        }
    }

    static class Shelf {

        // immutable
        private final Gate gate;

        Shelf(Gate gate) {
            this.gate = gate;
        }

        @Collapsible
        public String article(Article article) {
            gate.pass(article.name);
            return article.name;
        }

        @CollapseBatch(method = "all")
        public String item(Article article) {
            throw new AssertionError("only the batch method is called");
        }

        public Map<Article, String> all(Collection<Article> articles) {
            Map<Article, String> all = new HashMap<>();
            articles.forEach(article -> all.put(article, article(article)));
            return all;
        }
    }

    enum Kind {
        PLAIN,
        FUTURE,
        ITEM,
        FUTURE_ITEM;

        CompletableFuture<String> ask(Till till, List<String> lines) {
            return switch (this) {
                case PLAIN -> CompletableFuture.supplyAsync(() -> till.plain(lines), task -> new Thread(task).start());
                case FUTURE -> till.future(lines);
                case ITEM -> CompletableFuture.supplyAsync(() -> till.item(lines), task -> new Thread(task).start());
                case FUTURE_ITEM -> till.futureItem(lines);
            };
        }
    }

    // mutable, confined to the test's thread
    private final Application application = Application.start(Notes.class, Forms.class, Till.class, Shelf.class);
    private final Till till = application.get(Till.class);
    private final Gate gate = application.get(Gate.class);
    private final Notes notes = application.get(Notes.class);
    private int callers;

    @AfterEach
    void close() {
        gate.open();
        application.close();
    }

    private CompletableFuture<String> ask(Kind kind, List<String> lines) {
        CompletableFuture<String> answer = kind.ask(till, lines);
        callers++;
        Burst.present(application.executor(kind.name().toLowerCase(Locale.ROOT)), callers);
        return answer;
    }

    /** An instance might have an answer to what the argument has become. */
    @ParameterizedTest
    @EnumSource
    void anArgumentThatHasChangedBeforeIsNotAskedFor(Kind kind) throws Exception {
        gate.shut();
        CompletableFuture<String> inFlight = ask(kind, List.of("tea"));
        await().until(() -> gate.executions().size() == 1);
        List<String> lines = new ArrayList<>(List.of("tea"));
        CompletableFuture<String> changing = ask(kind, lines);
        CompletableFuture<String> following = ask(kind, List.of("tea"));
        lines.add("gold");
        gate.open();
        assertThat(inFlight.get(60, TimeUnit.SECONDS)).isEqualTo("total of [tea]");
        assertThat(following.get(60, TimeUnit.SECONDS)).isEqualTo("total of [tea]");
        assertThatThrownBy(() -> changing.get(60, TimeUnit.SECONDS))
                .rootCause()
                .satisfies(AskedTextsTests::assertChanged);
        assertThat(notes.asked)
                .hasSizeGreaterThanOrEqualTo(2)
                .noneMatch(asked -> asked.toString().contains("gold"));
    }

    private static void assertChanged(Throwable failure) {
        assertThat(failure)
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessageContaining("an argument has changed between the call and its execution");
    }

    /** It is still equal to what it was. */
    @Test
    void anArgumentWhoseTextChangesWhileOthersAreAskedFailsItsCall() {
        Article article = new Article(7, "tea");
        notes.whileAsking = () -> article.name = "gold";
        Shelf shelf = application.get(Shelf.class);
        assertThatThrownBy(() -> shelf.article(article)).satisfies(AskedTextsTests::assertChanged);
        article.name = "tea";
        assertThatThrownBy(() -> shelf.item(article)).satisfies(AskedTextsTests::assertChanged);
        assertThat(notes.asked).hasSize(2);
        assertThat(gate.executions()).isEmpty();
    }
}
