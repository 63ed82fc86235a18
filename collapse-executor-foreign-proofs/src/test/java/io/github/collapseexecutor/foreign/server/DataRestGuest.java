package io.github.collapseexecutor.foreign.server;

import org.springframework.boot.CommandLineRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.annotation.Id;
import org.springframework.data.keyvalue.core.KeyValueOperations;
import org.springframework.data.keyvalue.core.KeyValueTemplate;
import org.springframework.data.keyvalue.repository.KeyValueRepository;
import org.springframework.data.map.MapKeyValueAdapter;
import org.springframework.data.map.repository.config.EnableMapRepositories;
import org.springframework.data.rest.core.annotation.RepositoryRestResource;
import org.springframework.data.rest.core.annotation.RestResource;

/** Spring Data REST over books in memory. */
@Configuration(proxyBeanMethods = false)
@EnableMapRepositories(
        considerNestedRepositories = true,
        includeFilters = @ComponentScan.Filter(type = FilterType.ASSIGNABLE_TYPE, classes = DataRestGuest.Books.class))
class DataRestGuest {

    /** A book. */
    record Book(@Id Long id, String title) {}

    @RepositoryRestResource(path = "books")
    interface Books extends KeyValueRepository<Book, Long> {

        @RestResource(path = "titled")
        java.util.List<Book> findByTitle(String title);
    }

    @Bean
    KeyValueOperations mapKeyValueTemplate(Backend backend) {
        return new KeyValueTemplate(new MapKeyValueAdapter() {

            @Override
            public Object get(Object id, String keyspace) {
                String unused = backend.read("data", id);
                return super.get(id, keyspace);
            }

            @Override
            public java.util.Collection<?> getAllOf(String keyspace) {
                String unused = backend.read("data", "all");
                return super.getAllOf(keyspace);
            }
        });
    }

    @Bean
    CommandLineRunner books(Books books) {
        return arguments -> {
            Book unused = books.save(new Book(1L, "one"));
            Book unusedToo = books.save(new Book(2L, "two"));
        };
    }
}
