package io.github.collapseexecutor.sample.advanced.readme;

import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.spring.annotation.CallerIdentity;
import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.annotation.KeyForm;
import io.github.collapseexecutor.spring.annotation.config.EnableCollapsing;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.data.repository.ListCrudRepository;

/** What the documentation shows for annotated methods. */
final class AnnotationExamples {

    private AnnotationExamples() {}

    // readme:begin annotation-repository
    interface UserRepository extends ListCrudRepository<User, Long> {

        @Override
        @CollapseBatch(method = "findAllById", itemKey = "id")
        Optional<User> findById(Long id);
    }
    // readme:end

    record Order(long id) {}

    static class Prices {

        // readme:begin annotation-collapsible
        @Collapsible
        public String price(String product) {
            return "the price of " + product;
        }
        // readme:end

        // readme:begin annotation-key
        @Collapsible(key = "#order.id()", join = JoinMode.IN_FLIGHT, timeout = "2s", name = "totals")
        public String total(Order order) {
            return "the total of " + order.id();
        }
        // readme:end

        // readme:begin annotation-grouped
        @CollapseBatch(method = "names")
        public String name(String language, Long id) {
            return names(language, List.of(id)).get(id);
        }

        public Map<Long, String> names(String language, Collection<Long> ids) {
            return ids.stream().collect(Collectors.toMap(id -> id, id -> id + " in " + language));
        }
        // readme:end

        // readme:begin annotation-page
        @CollapseBatch(method = "names", maxBatchSize = 500)
        public Map<Long, String> page(String language, List<Long> ids) {
            return names(language, ids);
        }
        // readme:end
    }

    // readme:begin annotation-enable
    @Configuration
    @EnableCollapsing
    static class Application {}
    // readme:end

    /** The tenant of a request. */
    static class TenantContext {

        String id() {
            return "shop";
        }
    }

    @Configuration
    static class Identities {

        @Bean
        @Scope(value = "request", proxyMode = ScopedProxyMode.TARGET_CLASS)
        TenantContext tenant() {
            return new TenantContext();
        }

        // readme:begin annotation-identity
        @Bean
        CallerIdentity tenantOfRequest(TenantContext tenant) {
            return tenant::id;
        }
        // readme:end
    }

    record Customer(String tenant, long number) {}

    @Configuration
    static class Forms {

        // readme:begin annotation-form
        @Bean
        KeyForm<Customer> customerForm() {
            return KeyForm.of(Customer.class, customer -> customer.tenant() + "/" + customer.number());
        }
        // readme:end
    }
}
