package io.github.collapseexecutor.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.ExecutorClosedException;
import io.github.collapseexecutor.core.KeyedResult;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import io.github.collapseexecutor.core.UnboundOutputException;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** Subscribers that are answered from bulk calls, which the test answers. */
class ReactiveCollapseExecutorTests {

    private static final CollapseOptions ONE_AT_A_TIME =
            CollapseOptions.builder().maxConcurrentBatches(1).build();

    /** A bulk call that the test answers. */
    private static final class Call {

        final List<Integer> keys;
        final ContextView context;
        final CompletableFuture<Map<Integer, String>> answer = new CompletableFuture<>();

        Call(Collection<Integer> keys, ContextView context) {
            this.keys = List.copyOf(keys);
            this.context = context;
        }

        void answerAll() {
            answer.complete(keys.stream().collect(Collectors.toMap(key -> key, key -> "value " + key)));
        }
    }

    private final List<Call> calls = new ArrayList<>();

    private Mono<Map<Integer, String>> called(Collection<Integer> keys) {
        return Mono.deferContextual(context -> {
            Call call = new Call(keys, context);
            calls.add(call);
            return Mono.fromFuture(call.answer);
        });
    }

    private final ReactiveCollapseExecutor<Integer, String> executor =
            ReactiveCollapseExecutor.byKey(this::called, MissingKeyPolicy.NULL, ONE_AT_A_TIME);

    private static <T> T get(CompletableFuture<T> answer) throws Exception {
        return answer.get(20, TimeUnit.SECONDS);
    }

    @Test
    void subscribersThatComeDuringACallShareTheNext() throws Exception {
        CompletableFuture<String> first = executor.execute(1).toFuture();
        CompletableFuture<String> second = executor.execute(2).toFuture();
        CompletableFuture<String> third = executor.execute(3).toFuture();
        CompletableFuture<String> again = executor.execute(2).toFuture();
        assertThat(calls).hasSize(1);
        calls.get(0).answerAll();
        assertThat(get(first)).isEqualTo("value 1");
        assertThat(calls).hasSize(2);
        assertThat(calls.get(1).keys).containsExactly(2, 3);
        calls.get(1).answerAll();
        assertThat(List.of(get(second), get(third), get(again))).containsExactly("value 2", "value 3", "value 2");
        assertThat(executor.counts().callers()).isZero();
    }

    @Test
    void nothingHappensBeforeASubscriptionAndEachAsksAnew() throws Exception {
        Mono<String> answer = executor.execute(1);
        assertThat(calls).isEmpty();
        for (int i = 0; i < 2; i++) {
            CompletableFuture<String> subscriber = answer.toFuture();
            calls.get(i).answerAll();
            assertThat(get(subscriber)).isEqualTo("value 1");
        }
        assertThat(calls).hasSize(2);
    }

    @Test
    void aMissingKeyIsEmptyOrAFailureAsChosen() throws Exception {
        CompletableFuture<String> empty = executor.execute(1).toFuture();
        calls.get(0).answer.complete(Map.of());
        assertThat(get(empty)).isNull();
        CompletableFuture<String> failed = ReactiveCollapseExecutor.byKey(
                        this::called, MissingKeyPolicy.FAILURE, ONE_AT_A_TIME)
                .execute(7)
                .toFuture();
        calls.get(1).answer.complete(Map.of());
        assertThatThrownBy(() -> get(failed))
                .cause()
                .isInstanceOf(UnboundOutputException.class)
                .hasMessageContaining("return an entry for every key");
    }

    @Test
    void itemsFindTheirKeys() throws Exception {
        ReactiveCollapseExecutor<Integer, String> words = ReactiveCollapseExecutor.byItem(
                lengths -> Flux.just("a", "bcd", "ef"), String::length, MissingKeyPolicy.NULL, ONE_AT_A_TIME);
        assertThat(get(words.execute(3).toFuture())).isEqualTo("bcd");
        assertThat(get(words.execute(4).toFuture())).isNull();
    }

    @Test
    void itemsOfOneKeyFailTheSubscribersOfThatKeyOnly() throws Exception {
        ReactiveCollapseExecutor<Integer, String> words = ReactiveCollapseExecutor.byItem(
                lengths -> Flux.just("a", "bcd", "b", "ef"), String::length, MissingKeyPolicy.NULL, ONE_AT_A_TIME);
        assertThatThrownBy(() -> get(words.execute(1).toFuture()))
                .cause()
                .isInstanceOf(UnboundOutputException.class)
                .hasMessageContaining("more than one item");
        assertThat(get(words.execute(3).toFuture())).isEqualTo("bcd");
    }

    @Test
    void aKeyMayFailByItself() throws Exception {
        CompletableFuture<String> unused = executor.execute(0).toFuture();
        CompletableFuture<String> failed = executor.execute(1).toFuture();
        CompletableFuture<String> answered = executor.execute(2).toFuture();
        CompletableFuture<String> missing = executor.execute(3).toFuture();
        calls.get(0).answerAll();
        calls.get(1).answer.complete(KeyedResult.of(Map.of(2, "two"), Map.of(1, new IOException("one"))));
        assertThatThrownBy(() -> get(failed))
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessage("one");
        assertThat(get(answered)).isEqualTo("two");
        assertThat(get(missing)).isNull();
    }

    /** A map that is sorted compares them. */
    @Test
    void aKeyThatCannotBeComparedFailsItsOwnSubscribersOnly() throws Exception {
        Map<Object, String> sorted = new TreeMap<>(Map.of("a", "value a", "b", "value b"));
        CompletableFuture<Map<Object, String>> first = new CompletableFuture<>();
        ReactiveCollapseExecutor<Object, String> objects = ReactiveCollapseExecutor.byKey(
                keys -> keys.contains(0) ? Mono.fromFuture(first) : Mono.just(sorted),
                MissingKeyPolicy.NULL,
                ONE_AT_A_TIME);
        CompletableFuture<String> unused = objects.execute(0).toFuture();
        CompletableFuture<String> number = objects.execute(1).toFuture();
        CompletableFuture<String> text = objects.execute("a").toFuture();
        first.complete(Map.of());
        assertThatThrownBy(() -> get(number)).cause().isInstanceOf(ClassCastException.class);
        assertThat(get(text)).isEqualTo("value a");
    }

    @Test
    void aSubscriberLeavesAloneAndTheLastEndsTheCall() {
        Disposable first = executor.execute(1).subscribe();
        Disposable second = executor.execute(2).subscribe();
        Disposable third = executor.execute(3).subscribe();
        Call call = calls.get(0);
        first.dispose();
        assertThat(call.answer).isCancelled();
        assertThat(calls).hasSize(2);
        second.dispose();
        assertThat(calls.get(1).answer).isNotDone();
        third.dispose();
        assertThat(calls.get(1).answer).isCancelled();
        assertThat(executor.counts().callers()).isZero();
    }

    @Test
    void aFailureIsWhatTheFunctionFailedWith() {
        IllegalArgumentException failure = new IllegalArgumentException("no");
        CompletableFuture<String> failed = executor.execute(1).toFuture();
        calls.get(0).answer.completeExceptionally(failure);
        assertThatThrownBy(() -> get(failed))
                .cause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no");
        ReactiveCollapseExecutor<Integer, String> throwing = ReactiveCollapseExecutor.byKey(
                keys -> {
                    throw failure;
                },
                MissingKeyPolicy.NULL,
                ONE_AT_A_TIME);
        assertThatThrownBy(() -> get(throwing.execute(1).toFuture()))
                .cause()
                .isInstanceOf(IllegalArgumentException.class);
        ReactiveCollapseExecutor<Integer, String> empty =
                ReactiveCollapseExecutor.byKey(keys -> Mono.empty(), MissingKeyPolicy.NULL, ONE_AT_A_TIME);
        assertThatThrownBy(() -> get(empty.execute(1).toFuture()))
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("must give a map");
    }

    @Test
    void noContextOfASubscriberReachesTheCall() throws Exception {
        CompletableFuture<String> answer = executor.execute(1)
                .contextWrite(context -> context.put("user", "ann"))
                .toFuture();
        assertThat(calls.get(0).context.isEmpty()).isTrue();
        calls.get(0).answerAll();
        assertThat(get(answer)).isEqualTo("value 1");
    }

    /** Subscribes with a context that nothing else holds, in which an object stands whose reference is returned. */
    private WeakReference<Object> subscribe(int key, List<Disposable> subscribers) {
        Object user = new Object();
        subscribers.add(executor.execute(key)
                .contextWrite(context -> context.put("user", user))
                .subscribe());
        return new WeakReference<>(user);
    }

    @Test
    void P14_theContextOfASubscriberThatLeftIsForgottenThoughTheCallGoesOn() {
        Disposable unused = executor.execute(1).subscribe();
        List<Disposable> leaving = new ArrayList<>();
        WeakReference<Object> user = subscribe(2, leaving);
        Disposable staying = executor.execute(3).subscribe();
        calls.get(0).answerAll();
        assertThat(calls.get(1).keys).containsExactly(2, 3);
        leaving.remove(0).dispose();
        await().until(() -> {
            System.gc();
            return user.get() == null;
        });
        assertThat(calls.get(1).answer).isNotDone();
        assertThat(staying.isDisposed()).isFalse();
    }

    /** What a filter of WebClient sees that adds the user's token. */
    private static String userOfTheThread() {
        Authentication user = SecurityContextHolder.getContext().getAuthentication();
        return (user == null ? "nobody" : user.getName())
                + (RequestContextHolder.getRequestAttributes() == null ? "" : " in a request");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noUserOfAThreadReachesTheCallAndTheThreadKeepsIts(boolean ofContexts) throws Exception {
        List<String> seen = new ArrayList<>();
        ReactiveCollapseExecutor<Integer, String> ofAnybody = ReactiveCollapseExecutor.byKey(
                keys -> {
                    seen.add(userOfTheThread());
                    return Mono.fromSupplier(() -> {
                        seen.add(userOfTheThread());
                        return Map.of(1, "value");
                    });
                },
                MissingKeyPolicy.NULL,
                ONE_AT_A_TIME);
        ReactiveCollapseExecutor<Integer, String> asked =
                ofContexts ? ofAnybody.forContexts(context -> "tenant") : ofAnybody;
        SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("ann", "secret"));
        RequestContextHolder.setRequestAttributes((RequestAttributes) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {RequestAttributes.class}, (proxy, method, arguments) -> {
                    throw new AssertionError("nobody looks at it");
                }));
        try {
            assertThat(get(asked.execute(1).toFuture())).isEqualTo("value");
            assertThat(seen).containsExactly("nobody", "nobody");
            assertThat(userOfTheThread()).isEqualTo("ann in a request");
        } finally {
            SecurityContextHolder.clearContext();
            RequestContextHolder.resetRequestAttributes();
        }
    }

    @Test
    void contextsOfDifferentOwnersShareNoCall() throws Exception {
        ReactiveCollapseExecutor<Integer, String> ofUsers = executor.forContexts(context -> context.get("user"));
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (String user : List.of("ann", "bob", "ann", "bob")) {
            int key = 1 + answers.size() / 2;
            answers.add(ofUsers.execute(key)
                    .contextWrite(context -> context.put("user", user))
                    .toFuture());
        }
        for (int i = 0; i < calls.size(); i++) { // grows
            Call call = calls.get(i);
            String user = call.context.get("user");
            call.answer.complete(call.keys.stream().collect(Collectors.toMap(key -> key, key -> user + " " + key)));
        }
        List<String> all = new ArrayList<>();
        for (CompletableFuture<String> answer : answers) {
            all.add(get(answer));
        }
        assertThat(all).containsExactly("ann 1", "bob 1", "ann 2", "bob 2");
    }

    @Test
    void anOwnerThatIsMissingFailsItsSubscriberAlone() {
        ReactiveCollapseExecutor<Integer, String> ofUsers = executor.forContexts(context -> context.get("user"));
        assertThatThrownBy(() -> get(ofUsers.execute(1).toFuture())).cause().isInstanceOf(NoSuchElementException.class);
        assertThat(calls).isEmpty();
    }

    @Test
    void optionsBoundSubscribersAndTheirTime() {
        ReactiveCollapseExecutor<Integer, String> full = ReactiveCollapseExecutor.byKey(
                this::called,
                MissingKeyPolicy.NULL,
                CollapseOptions.builder().maxPending(1).build());
        CompletableFuture<String> waiting = full.execute(1).toFuture();
        assertThatThrownBy(() -> get(full.execute(2).toFuture()))
                .cause()
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(waiting).isNotDone();

        ReactiveCollapseExecutor<Integer, String> timed = ReactiveCollapseExecutor.byKey(
                this::called,
                MissingKeyPolicy.NULL,
                CollapseOptions.builder().callTimeout(Duration.ofMillis(50)).build());
        assertThatThrownBy(() -> get(timed.execute(1).toFuture())).cause().isInstanceOf(TimeoutException.class);
    }

    @Test
    void inputsOfDifferentGroupsShareNoCall() {
        ReactiveCollapseExecutor<Integer, String> parted = ReactiveCollapseExecutor.byKey(
                this::called, MissingKeyPolicy.NULL, ONE_AT_A_TIME.groupBy((Integer key) -> key % 2));
        for (int key = 1; key <= 6; key++) {
            Disposable unused = parted.execute(key).subscribe();
        }
        for (int i = 0; i < calls.size(); i++) { // grows
            calls.get(i).answerAll();
        }
        assertThat(calls)
                .extracting(call -> call.keys)
                .containsExactly(List.of(1), List.of(2), List.of(3, 5), List.of(4, 6));
    }

    @Test
    void aClosedExecutorRefuses() {
        assertThat(executor.close(Duration.ZERO)).isTrue();
        assertThatThrownBy(() -> get(executor.execute(1).toFuture()))
                .cause()
                .isInstanceOf(ExecutorClosedException.class);
    }
}
