package io.github.collapseexecutor.foreign.server;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.context.annotation.Configuration;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.BatchMapping;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.graphql.data.method.annotation.SubscriptionMapping;
import org.springframework.stereotype.Controller;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Spring for GraphQL: queries and subscriptions by POST, its page and its schema by GET. */
@Configuration(proxyBeanMethods = false)
class GraphQlGuest {

    static final Guest GUEST = new Guest(
            "graphql",
            GraphQlGuest.class,
            Map.of("spring.graphql.graphiql.enabled", "true", "spring.graphql.schema.printer.enabled", "true"),
            List.of(
                    "/graphql {\"query\":\"{ book(id: 1) { title language author { name } } }\"}",
                    "/graphql {\"query\":\"{ book(id: 2) { title } }\"}",
                    "/graphql {\"query\":\"subscription { titles }\"}",
                    "/graphql {\"query\":\"{ none }\"}",
                    "/graphql",
                    "/graphql/schema",
                    "/graphiql",
                    "/graphiql?path=/graphql"));

    /** A book, in a language. */
    record Book(String title, String language) {}

    /** The author of a book. */
    record Author(String name) {}

    @Controller
    static class Books {

        // immutable
        private final Backend backend;

        Books(Backend backend) {
            this.backend = backend;
        }

        @QueryMapping
        Mono<Book> book(@Argument int id, Locale locale) {
            return Mono.fromCallable(() -> new Book(backend.read("graphql", id), locale.toString()))
                    .subscribeOn(Schedulers.boundedElastic());
        }

        @BatchMapping
        List<Author> author(List<Book> books) {
            return books.stream().map(book -> new Author("of " + book.title())).toList();
        }

        @SubscriptionMapping
        Flux<String> titles() {
            return Flux.just("one", "two");
        }
    }
}
