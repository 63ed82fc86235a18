package io.github.collapseexecutor.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.KeyedResult;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import io.github.collapseexecutor.core.UnboundOutputException;
import java.io.FileNotFoundException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Calls for single items become one call of the batch method. */
class CollapseBatchTests {

    record User(long id, String name) {}

    static class Users {

        // immutable
        private final Gate gate;

        Users(Gate gate) {
            this.gate = gate;
        }

        /** The users whose id is not a multiple of ten, in an order that nobody should rely on. */
        private List<User> found(Collection<Long> ids) {
            gate.pass(List.copyOf(ids));
            List<User> users = new ArrayList<>(ids.stream()
                    .filter(id -> id % 10 != 0)
                    .map(id -> new User(id, "user " + id))
                    .toList());
            Collections.shuffle(users);
            return users;
        }

        @CollapseBatch(method = "map", name = "map")
        public User fromMap(long id) {
            return found(List.of(id)).get(0);
        }

        public Map<Long, User> map(Collection<Long> ids) {
            Map<Long, User> map = new HashMap<>();
            found(ids).forEach(user -> map.put(user.id(), user));
            return map;
        }

        @CollapseBatch(method = "entities", itemKey = "id", name = "entities")
        public Optional<User> fromEntities(Long id) {
            return found(List.of(id)).stream().findFirst();
        }

        public Iterable<User> entities(Iterable<Long> ids) {
            List<Long> all = new ArrayList<>();
            ids.forEach(all::add);
            return found(all);
        }

        @CollapseBatch(method = "list", inOrder = true, name = "list")
        public String fromList(Long id) {
            return list(List.of(id)).get(0);
        }

        public List<String> list(List<Long> ids) {
            gate.pass(ids);
            return ids.stream().map(id -> id % 10 == 0 ? null : "user " + id).toList();
        }

        @CollapseBatch(method = "futures", name = "future")
        public CompletableFuture<User> fromFuture(Long id) {
            throw new AssertionError("only the batch method is called");
        }

        public CompletableFuture<Map<Long, User>> futures(Set<Long> ids) {
            return CompletableFuture.supplyAsync(() -> map(ids), task -> new Thread(task).start());
        }

        @CollapseBatch(method = "monos", name = "mono")
        public Mono<User> fromMono(Long id) {
            throw new AssertionError("only the batch method is called");
        }

        public Mono<Map<Long, User>> monos(Collection<Long> ids) {
            return Mono.fromFuture(() -> futures(Set.copyOf(ids)));
        }

        @CollapseBatch(method = "flux", itemKey = "id", name = "flux")
        public Mono<User> fromFlux(Long id) {
            throw new AssertionError("only the batch method is called");
        }

        public Flux<User> flux(Collection<Long> ids) {
            return monos(ids).flatMapIterable(Map::values);
        }

        @CollapseBatch(method = "inLanguage", name = "language")
        public String inLanguage(String language, Long id, boolean loud) {
            return inLanguage(language, List.of(id), loud).get(id);
        }

        public Map<Long, String> inLanguage(String language, List<Long> ids, boolean loud) {
            gate.pass(language + " " + loud);
            Map<Long, String> map = new HashMap<>();
            ids.forEach(id -> map.put(id, language + " " + id + " " + loud));
            return map;
        }

        @CollapseBatch(method = "map", missing = MissingKeyPolicy.FAILURE, name = "strict")
        public User strictly(Long id) {
            return map(List.of(id)).get(id);
        }

        @CollapseBatch(method = "map", maxBatchSize = 10, name = "small")
        public User inSmallBatches(Long id) {
            return map(List.of(id)).get(id);
        }

        @CollapseBatch(method = "tooShort", inOrder = true)
        public String ofTooShort(Long id) {
            return "";
        }

        public List<String> tooShort(List<Long> ids) {
            return List.of();
        }

        @CollapseBatch(method = "twice", itemKey = "id")
        public User ofTwice(Long id) {
            return null;
        }

        public List<User> twice(List<Long> ids) {
            return List.of(new User(1, "one"), new User(1, "another"));
        }

        @CollapseBatch(method = "otherType", itemKey = "name")
        public User ofOtherType(Long id) {
            return null;
        }

        public List<User> otherType(List<Long> ids) {
            return List.of(new User(1, "one"));
        }

        @CollapseBatch(method = "untyped", itemKey = "nr")
        public Object ofUntyped(Long id) {
            return "";
        }

        public List<Object> untyped(List<Long> ids) {
            return List.of(new User(1, "one"));
        }

        @CollapseBatch(method = "nullBatch")
        public User ofNull(Long id) {
            return null;
        }

        public Map<Long, User> nullBatch(List<Long> ids) {
            return null;
        }

        @CollapseBatch(method = "partly", name = "partly")
        public String ofPartly(Long id) throws FileNotFoundException {
            return "";
        }

        public Map<Long, String> partly(List<Long> ids) {
            gate.pass(ids);
            return KeyedResult.of(Map.of(1L, "one"), Map.of(2L, new FileNotFoundException("no 2")));
        }

        @CollapseBatch(method = "map", name = "nullable")
        public User ofNullable(Long id) {
            return id == null ? new User(-1, "nobody") : map(List.of(id)).get(id);
        }
    }

    /** Methods that take many items themselves. */
    static class Pages {

        // immutable
        private final Gate gate;

        Pages(Gate gate) {
            this.gate = gate;
        }

        @CollapseBatch(method = "map", name = "page")
        public Map<Long, String> page(String language, List<Long> ids) {
            return ids.isEmpty() || ids.contains(null) ? Map.of() : map(language, ids);
        }

        @CollapseBatch(method = "map", name = "some")
        public List<String> list(String language, Set<Long> ids) {
            return List.copyOf(map(language, ids).values());
        }

        @CollapseBatch(method = "inOrder", inOrder = true, name = "ordered")
        public List<String> ordered(List<Long> ids) {
            return inOrder(ids);
        }

        @CollapseBatch(method = "future", name = "later", missing = MissingKeyPolicy.FAILURE)
        public CompletableFuture<Map<Long, String>> later(String language, Collection<Long> ids) {
            return future(language, ids);
        }

        public Map<Long, String> map(String language, Collection<Long> ids) {
            gate.pass(language + new TreeSet<>(ids));
            return ids.stream().filter(id -> id % 10 != 0).collect(Collectors.toMap(id -> id, id -> language + id));
        }

        public List<String> inOrder(List<Long> ids) {
            gate.pass(ids);
            return ids.stream().map(id -> id % 10 == 0 ? null : "no. " + id).toList();
        }

        public CompletableFuture<Map<Long, String>> future(String language, Collection<Long> ids) {
            return CompletableFuture.supplyAsync(() -> map(language, ids), task -> new Thread(task).start());
        }
    }

    /** The forms of batch methods. */
    enum Form {
        MAP,
        ENTITIES,
        FUTURE,
        MONO,
        FLUX;

        String executor() {
            return name().toLowerCase(Locale.ROOT);
        }

        User ask(Users users, long id) throws Exception {
            return switch (this) {
                case MAP -> users.fromMap(id);
                case ENTITIES -> users.fromEntities(id).orElse(null);
                case FUTURE -> users.fromFuture(id).get();
                case MONO -> users.fromMono(id).block();
                case FLUX -> users.fromFlux(id).block();
            };
        }
    }

    // mutable, confined to the test's thread
    private final Application application = Application.start(Users.class, Pages.class);
    private final Users users = application.get(Users.class);
    private final Pages pages = application.get(Pages.class);
    private final Gate gate = application.get(Gate.class);

    @AfterEach
    void close() {
        gate.open();
        application.close();
    }

    private interface Call<T> {
        T make(long id) throws Exception;
    }

    private <T> List<T> burst(int callers, String executor, Call<T> call) throws Exception {
        return Burst.of(callers, gate, application.executor(executor), index -> {
            Callable<T> made = () -> call.make(index + 1L);
            return made;
        });
    }

    @ParameterizedTest
    @EnumSource
    void fiftyCallsAreTwoBatches(Form form) throws Exception {
        List<User> answers = burst(50, form.executor(), id -> form.ask(users, id));
        List<User> expected = LongStream.rangeClosed(1, 50)
                .mapToObj(id -> id % 10 == 0 ? null : new User(id, "user " + id))
                .toList();
        assertThat(answers).isEqualTo(expected);
        assertThat(gate.executions()).hasSize(2);
    }

    @Test
    void listInOrderGivesEachItsOwn() throws Exception {
        List<String> answers = burst(20, "list", users::fromList);
        assertThat(answers)
                .isEqualTo(IntStream.rangeClosed(1, 20)
                        .mapToObj(id -> id % 10 == 0 ? null : "user " + id)
                        .collect(Collectors.toList()));
        assertThat(gate.executions()).hasSize(2);
    }

    @Test
    void callersOfEqualItemsShareOne() throws Exception {
        List<User> answers = burst(30, "map", id -> users.fromMap(id % 3 + 1));
        assertThat(answers).doesNotContainNull();
        assertThat(gate.executions()).hasSize(2);
        assertThat((List<?>) gate.executions().get(1)).hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void otherArgumentsSeparateBatches() throws Exception {
        List<String> answers =
                burst(20, "language", id -> users.inLanguage(id % 2 == 0 ? "en" : "de", id / 4, id % 4 < 2));
        List<String> expected = new ArrayList<>();
        for (long id = 1; id <= 20; id++) {
            expected.add((id % 2 == 0 ? "en " : "de ") + id / 4 + " " + (id % 4 < 2));
        }
        assertThat(answers).isEqualTo(expected);
        assertThat(gate.executions())
                .hasSizeLessThanOrEqualTo(8)
                .contains("en true", "en false", "de true", "de false");
    }

    @Test
    void missingItemIsAFailureIfTheAnnotationSaysSo() {
        assertThat(users.strictly(1L).name()).isEqualTo("user 1");
        assertThatThrownBy(() -> users.strictly(10L)).isInstanceOf(UnboundOutputException.class);
    }

    @Test
    void maxBatchSizeBoundsABatch() throws Exception {
        burst(40, "small", users::inSmallBatches);
        assertThat(gate.executions()).hasSizeBetween(4, 6).allMatch(ids -> ((List<?>) ids).size() <= 10);
    }

    @Test
    void answersThatDoNotFitFailTheirCallers() {
        assertThatThrownBy(() -> users.ofTooShort(1L))
                .isInstanceOf(UnboundOutputException.class)
                .hasMessageContaining("0 answers for 1 items");
        assertThatThrownBy(() -> users.ofTwice(1L)).hasMessageContaining("two answers for the item 1");
        assertThatThrownBy(() -> users.ofOtherType(1L))
                .hasMessageContaining("one of class java.lang.String")
                .hasMessageContaining("java.lang.Long");
        assertThatThrownBy(() -> users.ofUntyped(1L))
                .hasMessageContaining("ofUntyped")
                .hasMessageContaining("itemKey = \"nr\" cannot be read of an answer of the batch method");
        assertThatThrownBy(() -> users.ofNull(1L)).hasMessageContaining("returned null");
    }

    @Test
    void failureOfOneItemIsItsCallersAlone() throws Exception {
        List<Object> answers = burst(3, "partly", id -> {
            try {
                return users.ofPartly(id);
            } catch (FileNotFoundException failure) {
                return failure.getMessage();
            }
        });
        assertThat(answers).containsExactly("one", "no 2", null);
    }

    private <T> List<T> burstOfPages(int callers, int items, String executor, Call<T> call) throws Exception {
        return Burst.of(callers, items, gate, application.executor(executor), index -> () -> call.make(index + 1L));
    }

    private static List<Long> idsOf(long caller) {
        return LongStream.rangeClosed(caller, caller + 9).boxed().toList();
    }

    private static Map<Long, String> answersOf(long caller) {
        return idsOf(caller).stream().filter(id -> id % 10 != 0).collect(Collectors.toMap(id -> id, id -> "en" + id));
    }

    @Test
    void pagesOfItemsAreAnsweredByBatchesOfAllTheirItems() throws Exception {
        List<Map<Long, String>> answers = burstOfPages(20, 10, "page", caller -> pages.page("en", idsOf(caller)));
        assertThat(answers)
                .isEqualTo(LongStream.rangeClosed(1, 20)
                        .mapToObj(CollapseBatchTests::answersOf)
                        .toList());
        assertThat(gate.executions()).hasSize(2);
        assertThat(new ArrayList<>(answers.get(0).keySet())).isSorted();
    }

    @Test
    void pagesWithOtherArgumentsGoApart() throws Exception {
        List<Map<Long, String>> answers =
                burstOfPages(20, 2, "page", caller -> pages.page(caller % 2 == 0 ? "en" : "de", List.of(1L, 2L)));
        for (int i = 0; i < 20; i++) {
            String language = i % 2 == 0 ? "de" : "en";
            assertThat(answers.get(i)).isEqualTo(Map.of(1L, language + 1, 2L, language + 2));
        }
        assertThat(gate.executions()).hasSizeLessThanOrEqualTo(4).contains("de[1, 2]", "en[1, 2]");
    }

    @Test
    void aListHasTheAnswersThatAreThereInTheOrderOfTheItems() throws Exception {
        List<List<String>> answers = burstOfPages(
                5, 3, "some", caller -> pages.list("en", new LinkedHashSet<>(List.of(30 + caller, 20L, caller))));
        for (long caller = 1; caller <= 5; caller++) {
            assertThat(answers.get((int) caller - 1)).containsExactly("en" + (30 + caller), "en" + caller);
        }
        assertThat(gate.executions()).hasSize(2);
    }

    @Test
    void aListInOrderHasAnAnswerForEachItem() {
        assertThat(pages.ordered(List.of(3L, 10L, 1L, 3L))).containsExactly("no. 3", null, "no. 1", "no. 3");
        assertThat(gate.executions()).containsExactly(List.of(3L, 10L, 1L));
    }

    @Test
    void aPageByAFutureFailsWithTheFirstItemThatHasNoAnswer() throws Exception {
        assertThat(pages.later("en", List.of(1L, 2L)).get()).isEqualTo(Map.of(1L, "en1", 2L, "en2"));
        assertThatThrownBy(() -> pages.later("en", List.of(1L, 10L)).get())
                .hasCauseInstanceOf(UnboundOutputException.class);
    }

    /** The map and the list belong to their caller, who may change them; the batch method is not called for nothing. */
    @Test
    void aPageIsItsCallersOwn() throws Exception {
        List<Map<Long, String>> answers = burst(3, "page", caller -> pages.page("en", List.of(1L)));
        answers.get(0).clear();
        assertThat(answers.get(1)).isEqualTo(Map.of(1L, "en1"));
        int executions = gate.executions().size();
        assertThat(pages.page("en", List.of())).isEmpty();
        assertThat(pages.page("en", Arrays.asList(1L, null))).isEmpty();
        assertThat(gate.executions()).hasSize(executions);
    }

    @Test
    void nullItemIsNotBatched() {
        assertThat(users.ofNullable(null)).isEqualTo(new User(-1, "nobody"));
    }

    @Test
    void callAfterTheEndOfTheContextRunsTheMethodItself() {
        application.close();
        assertThat(users.fromMap(7)).isEqualTo(new User(7, "user 7"));
        assertThat(pages.page("de", new ArrayList<>(List.of(7L)))).hasSize(1);
    }
}
