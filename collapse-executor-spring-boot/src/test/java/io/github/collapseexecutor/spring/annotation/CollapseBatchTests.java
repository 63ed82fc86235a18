package io.github.collapseexecutor.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.KeyedResult;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import io.github.collapseexecutor.core.UnboundOutputException;
import java.io.FileNotFoundException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    private final Application application = Application.start(Users.class);
    private final Users users = application.get(Users.class);
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

    @Test
    void nullItemIsNotBatched() {
        assertThat(users.ofNullable(null)).isEqualTo(new User(-1, "nobody"));
    }
}
