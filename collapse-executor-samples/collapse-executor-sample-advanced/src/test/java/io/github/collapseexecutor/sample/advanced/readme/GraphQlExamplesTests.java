package io.github.collapseexecutor.sample.advanced.readme;

import static org.assertj.core.api.Assertions.assertThat;

import graphql.ExecutionResult;
import graphql.schema.DataFetchingEnvironment;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import io.github.collapseexecutor.reactor.ReactiveCollapseExecutor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.dataloader.DataLoader;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.graphql.ExecutionGraphQlResponse;
import org.springframework.graphql.execution.BatchLoaderRegistry;
import org.springframework.graphql.execution.DefaultBatchLoaderRegistry;
import org.springframework.graphql.execution.DefaultExecutionGraphQlService;
import org.springframework.graphql.execution.GraphQlSource;
import org.springframework.graphql.support.DefaultExecutionGraphQlRequest;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What docs/graphql.md shows, with the GraphQL of Spring: the loaders of concurrent requests share bulk calls. */
class GraphQlExamplesTests {

    private static final int REQUESTS = 200;

    private static final String SCHEMA = """
            type Query { order(id: ID!): Order }
            type Order { id: ID! user: User sender: User }
            type User { id: ID! name: String }
            """;

    /** An order, its user and its sender. */
    record Order(long id, long userId) {}

    /** Another service that takes many keys at once, and knows users up to a number. */
    private static final class Client {

        private final List<Collection<Long>> calls = new ArrayList<>();

        synchronized Flux<User> usersByIds(Collection<Long> ids) {
            calls.add(List.copyOf(ids));
            return Flux.fromIterable(ids)
                    .filter(id -> id < 2 * REQUESTS)
                    .map(id -> new User(id, "user " + id))
                    .delaySequence(Duration.ofMillis(100));
        }
    }

    private final Client client = new Client();
    private final BatchLoaderRegistry registry = new DefaultBatchLoaderRegistry();

    private final ReactiveCollapseExecutor<Long, User> users = ReactiveCollapseExecutor.byItem(
            client::usersByIds,
            User::id,
            MissingKeyPolicy.NULL,
            // a slow machine asks so seldom that no call would wait for another
            CollapseOptions.builder().maxConcurrentBatches(1).build());

    private static DefaultExecutionGraphQlService service(BatchLoaderRegistry registry) {
        GraphQlSource source = GraphQlSource.schemaResourceBuilder()
                .schemaResources(new ByteArrayResource(SCHEMA.getBytes(StandardCharsets.UTF_8)))
                .configureRuntimeWiring(wiring -> wiring.type(
                                "Query",
                                query -> query.dataFetcher(
                                        "order", call -> new Order(Long.parseLong(call.getArgument("id")), 0)))
                        .type(
                                "Order",
                                order -> order.dataFetcher(
                                                "user", call -> loader(call).load(idOf(call)))
                                        .dataFetcher(
                                                "sender", call -> loader(call).load(idOf(call) + REQUESTS))))
                .build();
        DefaultExecutionGraphQlService service = new DefaultExecutionGraphQlService(source);
        service.addDataLoaderRegistrar((DefaultBatchLoaderRegistry) registry);
        return service;
    }

    private static DataLoader<Long, User> loader(DataFetchingEnvironment call) {
        return call.getDataLoader(User.class.getName());
    }

    private static long idOf(DataFetchingEnvironment call) {
        return call.<Order>getSource().id();
    }

    private static Mono<Map<String, Object>> ask(DefaultExecutionGraphQlService service, long id) {
        return service.execute(new DefaultExecutionGraphQlRequest(
                        "{ order(id: " + id + ") { user { name } sender { name } } }",
                        null,
                        Map.of(),
                        Map.of(),
                        String.valueOf(id),
                        Locale.ROOT))
                .map(ExecutionGraphQlResponse::getExecutionResult)
                .map(GraphQlExamplesTests::orderOf);
    }

    private static Map<String, Object> orderOf(ExecutionResult result) {
        assertThat(result.getErrors()).isEmpty();
        return result.<Map<String, Map<String, Object>>>getData().get("order");
    }

    /** The build runs these tests on two generations of Spring for GraphQL. */
    @Test
    void springForGraphQlIsTheOneThatIsExpected() {
        assertThat(GraphQlSource.class.getPackage().getImplementationVersion())
                .startsWith(System.getProperty("expected.spring-graphql.version"));
    }

    @Test
    void loadersOfConcurrentRequestsShareBulkCalls() {
        // readme:begin graphql-loader
        registry.forTypePair(Long.class, User.class)
                .registerMappedBatchLoader((ids, environment) -> Flux.fromIterable(ids)
                        .flatMap(users::execute, ids.size())
                        .collectMap(User::id));
        // readme:end
        DefaultExecutionGraphQlService service = service(registry);
        List<Map<String, Object>> orders = Flux.range(0, REQUESTS)
                .flatMap(id -> ask(service, id), REQUESTS)
                .collectList()
                .block(Duration.ofSeconds(30));
        assertThat(orders).hasSize(REQUESTS).allSatisfy(order -> {
            String user = ((Map<?, ?>) order.get("user")).get("name").toString();
            long id = Long.parseLong(user.substring("user ".length()));
            assertThat(((Map<?, ?>) order.get("sender")).get("name")).isEqualTo("user " + (id + REQUESTS));
        });
        // Without sharing, each request makes two; with it, at most ten a second are made.
        assertThat(client.calls).as("of two keys each of %d requests", REQUESTS).hasSizeLessThan(REQUESTS * 3 / 4);
    }

    @Test
    void aKeyWithoutAnAnswerIsNull() {
        registry.forTypePair(Long.class, User.class)
                .registerMappedBatchLoader((ids, environment) -> Flux.fromIterable(ids)
                        .flatMap(users::execute, ids.size())
                        .collectMap(User::id));
        Map<String, Object> order = ask(service(registry), REQUESTS + 7).block(Duration.ofSeconds(30));
        assertThat(order)
                .containsEntry("user", Map.of("name", "user " + (REQUESTS + 7)))
                .containsEntry("sender", null);
    }

    @Test
    void tenantsShareOnlyAmongThemselvesIfTheContextTellsThemApart() {
        // readme:begin graphql-tenant
        ReactiveCollapseExecutor<Long, User> ofTenants = users.forContexts(context -> context.get("tenant"));
        registry.forTypePair(Long.class, User.class)
                .registerMappedBatchLoader((ids, environment) -> Flux.fromIterable(ids)
                        .flatMap(ofTenants::execute, ids.size())
                        .collectMap(User::id));
        // readme:end
        DefaultExecutionGraphQlService service = service(registry);
        List<Map<String, Object>> orders = Flux.just("a", "b")
                .flatMap(tenant -> ask(service, 7).contextWrite(context -> context.put("tenant", tenant)))
                .collectList()
                .block(Duration.ofSeconds(30));
        assertThat(orders).hasSize(2);
        assertThat(client.calls.stream().filter(call -> call.contains(7L))).hasSize(2);
    }
}
