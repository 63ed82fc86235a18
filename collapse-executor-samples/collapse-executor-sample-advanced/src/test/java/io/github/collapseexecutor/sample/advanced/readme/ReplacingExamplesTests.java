package io.github.collapseexecutor.sample.advanced.readme;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.netflix.hystrix.HystrixCollapser;
import com.netflix.hystrix.HystrixCommand;
import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.strategy.concurrency.HystrixRequestContext;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.BlockingCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.FutureCollapseExecutor;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.dataloader.DataLoader;
import org.dataloader.DataLoaderFactory;
import org.junit.jupiter.api.Test;

/** What docs/replacing.md replaces: the old code and the new, and the differences that its tables state. */
class ReplacingExamplesTests {

    private static final User SEVEN = new User(7, "user 7");

    private final Recorded client = new Recorded();
    private final ConcurrentMap<Long, FutureTask<User>> tasks = new ConcurrentHashMap<>();

    /** A user service whose users can be renamed, which notes each of its calls, and can hold them. */
    static final class Recorded {

        private final UserClient client = new UserClient();
        private final List<Collection<Long>> asked = new CopyOnWriteArrayList<>();
        private final CountDownLatch called = new CountDownLatch(1);
        private volatile CountDownLatch answer = new CountDownLatch(0);
        private volatile String suffix = "";

        User fetch(long id) throws InterruptedException {
            User read = new User(id, client.fetch(id).name() + suffix);
            asked.add(List.of(id));
            called.countDown();
            assertThat(answer.await(60, TimeUnit.SECONDS)).isTrue();
            return read;
        }

        CompletableFuture<User> fetchAsync(long id) {
            asked.add(List.of(id));
            return client.fetchAsync(id);
        }

        Map<Long, User> fetchAll(Collection<Long> ids) {
            asked.add(List.copyOf(ids));
            return client.fetchAll(ids);
        }

        CompletableFuture<Map<Long, User>> fetchAllAsync(Collection<Long> ids) {
            return CompletableFuture.completedFuture(fetchAll(ids));
        }

        CompletableFuture<List<User>> fetchInOrder(List<Long> ids) {
            asked.add(List.copyOf(ids));
            return CompletableFuture.completedFuture(
                    ids.stream().map(client::fetch).toList());
        }
    }

    // readme:begin replacing-map-before
    User user(Long id) throws Exception {
        FutureTask<User> mine = new FutureTask<>(() -> client.fetch(id));
        FutureTask<User> running = tasks.putIfAbsent(id, mine);
        if (running == null) {
            mine.run();
            tasks.remove(id, mine);
        }
        return (running == null ? mine : running).get();
    }
    // readme:end

    @Test
    void mapOfFutures() throws Exception {
        assertThat(user(7L)).isEqualTo(SEVEN);
        // readme:begin replacing-map-after
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(
                CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build());

        User user = executor.execute(7L, () -> client.fetch(7));
        // readme:end
        assertThat(user).isEqualTo(SEVEN);
    }

    @Test
    void mapOfFuturesGivesWhatWasReadBeforeTheCallersOwnWrite() throws Exception {
        assertThat(readAfterAWrite(() -> user(7L))).isEqualTo(SEVEN);
    }

    @Test
    void inFlightGivesItToo() throws Exception {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(
                CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build());
        assertThat(readAfterAWrite(() -> executor.execute(7L, () -> client.fetch(7))))
                .isEqualTo(SEVEN);
    }

    @Test
    void freshGivesWhatTheCallerWrote() throws Exception {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor();
        assertThat(readAfterAWrite(() -> executor.execute(7L, () -> client.fetch(7))))
                .isEqualTo(new User(7, "user 7, renamed"));
    }

    /** What a caller reads that asks while another's call is in flight, after it has renamed the user. */
    private User readAfterAWrite(Callable<User> read) throws Exception {
        client.answer = new CountDownLatch(1);
        Thread first = new Thread(new FutureTask<>(read), "first");
        first.start();
        assertThat(client.called.await(60, TimeUnit.SECONDS)).isTrue();

        client.suffix = ", renamed";
        FutureTask<User> second = new FutureTask<>(read);
        Thread writer = new Thread(second, "writer");
        writer.start();
        while (client.asked.size() == 1 && writer.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        client.answer.countDown();
        first.join();
        return second.get();
    }

    @Test
    void asyncCache() throws Exception {
        // readme:begin replacing-cache-before
        AsyncCache<Long, User> cache = Caffeine.newBuilder().maximumSize(10_000).buildAsync();

        CompletableFuture<User> user = cache.get(7L, (id, pool) -> client.fetchAsync(id));
        // readme:end
        assertThat(user.get()).isEqualTo(SEVEN);
        assertThat(cache.get(7L, (id, pool) -> client.fetchAsync(id)).get()).isEqualTo(SEVEN);
        assertThat(client.asked).as("the cache keeps its entry").hasSize(1);

        assertThat(uncached().get()).isEqualTo(SEVEN);
        assertThat(uncached().get()).isEqualTo(SEVEN);
        assertThat(client.asked).as("nothing is kept").hasSize(3);
    }

    @Test
    void callerThatCancelsItsFutureOfACacheCancelsThatOfAllCallersAndOfAnExecutorItsOwn() {
        CompletableFuture<User> call = new CompletableFuture<>();
        AsyncCache<Long, User> cache = Caffeine.newBuilder().maximumSize(10_000).buildAsync();
        CompletableFuture<User> cached = cache.get(7L, (id, pool) -> call);
        CompletableFuture<User> another = cache.get(7L, (id, pool) -> call);
        assertThat(cached.cancel(true)).isTrue();
        assertThat(another).isCancelled();

        CompletableFuture<User> shared = new CompletableFuture<>();
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(
                CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build());
        CompletableFuture<User> mine = executor.execute(7L, () -> shared);
        CompletableFuture<User> others = executor.execute(7L, () -> shared);
        assertThat(mine.cancel(true)).isTrue();
        shared.complete(SEVEN);
        assertThat(others).isCompletedWithValue(SEVEN);
    }

    private CompletableFuture<User> uncached() {
        // readme:begin replacing-cache-after
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor();

        CompletableFuture<User> user = executor.execute(7L, () -> client.fetchAsync(7));
        // readme:end
        return user;
    }

    @Test
    void bulkCallsBehindACache() throws Exception {
        // readme:begin replacing-cache-behind
        FutureCollapseExecutor<Long, User> users =
                CollapseExecutors.futureByKey(client::fetchAllAsync, MissingKeyPolicy.NULL, CollapseOptions.defaults());
        AsyncCache<Long, User> cache = Caffeine.newBuilder().maximumSize(10_000).buildAsync();

        CompletableFuture<User> user = cache.get(7L, (id, pool) -> users.execute(id));
        // readme:end
        assertThat(user.get()).isEqualTo(SEVEN);
        assertThat(client.asked).containsExactly(List.of(7L));
    }

    @Test
    void refreshesOfACacheAreBulkCalls() throws Exception {
        List<CompletableFuture<Map<Long, User>>> calls = new CopyOnWriteArrayList<>();
        List<Collection<Long>> asked = new CopyOnWriteArrayList<>();
        FutureCollapseExecutor<Long, User> users = CollapseExecutors.futureByKey(
                ids -> {
                    asked.add(List.copyOf(ids));
                    calls.add(new CompletableFuture<>());
                    return calls.get(calls.size() - 1);
                },
                MissingKeyPolicy.NULL,
                CollapseOptions.builder().maxConcurrentBatches(1).build());
        // readme:begin replacing-cache-refresh
        AsyncLoadingCache<Long, User> cache = Caffeine.newBuilder()
                .refreshAfterWrite(Duration.ofMinutes(1))
                .buildAsync((id, pool) -> users.execute(id));
        // readme:end
        List<Long> ids = List.of(7L, 8L, 9L, 10L);
        ids.forEach(id -> cache.put(id, CompletableFuture.completedFuture(new User(id, "old"))));

        CompletableFuture<Map<Long, User>> refreshed = cache.synchronous().refreshAll(ids);
        calls.get(0).complete(Map.of(7L, SEVEN));
        calls.get(1).complete(client.fetchAll(List.of(8L, 9L, 10L)));
        assertThat(refreshed.get()).containsOnlyKeys(ids);
        assertThat(asked).containsExactly(List.of(7L), List.of(8L, 9L, 10L));
        assertThat(cache.get(9L).get()).isEqualTo(new User(9, "user 9"));
    }

    @Test
    void dataLoader() throws Exception {
        // readme:begin replacing-loader-before
        DataLoader<Long, User> loader = DataLoaderFactory.newDataLoader(ids -> client.fetchInOrder(ids));

        CompletableFuture<User> user = loader.load(7L);
        loader.dispatchAndJoin();
        // readme:end
        assertThat(user.get()).isEqualTo(SEVEN);
        assertThat(loader.load(7L)).isNotNull();
        loader.dispatchAndJoin();
        assertThat(client.asked).as("a loader keeps its answers").hasSize(1);
    }

    @Test
    void executorInPlaceOfADataLoader() throws Exception {
        // readme:begin replacing-loader-after
        FutureCollapseExecutor<Long, User> users =
                CollapseExecutors.futureInOrder(client::fetchInOrder, CollapseOptions.defaults());

        CompletableFuture<User> user = users.execute(7L);
        // readme:end
        assertThat(user.get()).isEqualTo(SEVEN);
        assertThat(users.execute(7L).get()).isEqualTo(SEVEN);
        assertThat(client.asked).as("nothing is kept").hasSize(2);
    }

    @Test
    void executorBehindADataLoader() throws Exception {
        FutureCollapseExecutor<Long, User> users =
                CollapseExecutors.futureInOrder(client::fetchInOrder, CollapseOptions.defaults());
        // readme:begin replacing-loader-behind
        DataLoader<Long, User> loader =
                DataLoaderFactory.newDataLoader(ids -> allOf(ids.stream().map(users::execute)));
        // readme:end
        CompletableFuture<User> user = loader.load(7L);
        loader.dispatchAndJoin();
        assertThat(user.get()).isEqualTo(SEVEN);
    }

    private static CompletableFuture<List<User>> allOf(Stream<CompletableFuture<User>> futures) {
        List<CompletableFuture<User>> all = futures.toList();
        return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
    }

    /** The collapser of a request's users. */
    class UserCollapser extends HystrixCollapser<Map<Long, User>, User, Long> {

        private final Long id;

        UserCollapser(Long id) {
            this.id = id;
        }

        @Override
        public Long getRequestArgument() {
            return id;
        }

        // readme:begin replacing-collapser-before
        @Override
        protected HystrixCommand<Map<Long, User>> createCommand(Collection<CollapsedRequest<User, Long>> calls) {
            return new GetUsers(
                    calls.stream().map(CollapsedRequest::getArgument).toList());
        }

        @Override
        protected void mapResponseToRequests(Map<Long, User> users, Collection<CollapsedRequest<User, Long>> calls) {
            calls.forEach(call -> call.setResponse(users.get(call.getArgument())));
        }
        // readme:end
    }

    /** The bulk call of a batch. */
    class GetUsers extends HystrixCommand<Map<Long, User>> {

        private final List<Long> ids;

        GetUsers(List<Long> ids) {
            super(HystrixCommandGroupKey.Factory.asKey("users"));
            this.ids = ids;
        }

        @Override
        protected Map<Long, User> run() {
            return client.fetchAll(ids);
        }
    }

    @Test
    void hystrixCollapser() throws Exception {
        try (HystrixRequestContext request = HystrixRequestContext.initializeContext()) {
            List<Future<User>> users = new ArrayList<>();
            for (long id = 1; id <= 7; id++) {
                users.add(new UserCollapser(id).queue());
            }
            assertThat(users.get(6).get()).isEqualTo(SEVEN);
            assertThat(request).isNotNull();
        }
        assertThat(client.asked.stream().flatMap(Collection::stream))
                .containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    }

    @Test
    void executorInPlaceOfACollapser() throws Exception {
        // readme:begin replacing-collapser-after
        BlockingCollapseExecutor<Long, User> users =
                CollapseExecutors.blockingByKey(client::fetchAll, MissingKeyPolicy.NULL, CollapseOptions.defaults());

        User user = users.execute(7L);
        // readme:end
        assertThat(user).isEqualTo(SEVEN);
    }
}
