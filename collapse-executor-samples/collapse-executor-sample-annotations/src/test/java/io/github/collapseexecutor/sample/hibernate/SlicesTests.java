package io.github.collapseexecutor.sample.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.requestTo;
import static org.springframework.test.web.client.response.MockRestResponseCreators.withSuccess;

import io.github.collapseexecutor.http.HttpCallSummary;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.sample.hibernate.entity.Order;
import io.github.collapseexecutor.sample.hibernate.entity.OrdersApplication;
import io.github.collapseexecutor.sequence.Sequences;
import io.github.collapseexecutor.spring.boot.CollapseExecutorAutoConfiguration;
import io.github.collapseexecutor.spring.boot.writes.CollapseWritesAutoConfiguration;
import io.github.collapseexecutor.spring.jdbc.GroupCommitTemplate;
import jakarta.persistence.EntityManager;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.data.jdbc.AutoConfigureDataJdbc;
import org.springframework.boot.test.autoconfigure.jdbc.AutoConfigureJdbc;
import org.springframework.boot.test.autoconfigure.jdbc.JdbcTest;
import org.springframework.boot.test.autoconfigure.orm.jpa.AutoConfigureDataJpa;
import org.springframework.boot.test.autoconfigure.orm.jpa.DataJpaTest;
import org.springframework.boot.test.autoconfigure.web.client.RestClientTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.client.MockRestServiceServer;
import org.springframework.web.client.RestClient;

/** Writers and numbers in tests that start a slice of the application: there, Spring Boot has only the auto-configurations that are listed for the slice. */
class SlicesTests {

    @Nested
    @DataJpaTest
    @ContextConfiguration(classes = OrdersApplication.class)
    class OfJpa {

        @Test
        void anEntityTakesItsId(@Autowired JdbcTemplate jdbc, @Autowired EntityManager entities) {
            jdbc.execute("CREATE SEQUENCE order_id START WITH 1000");
            Order order = new Order();
            entities.persist(order);
            entities.flush();
            assertThat(order.id()).isGreaterThanOrEqualTo(1000);
        }
    }

    @Nested
    @JdbcTest
    @ContextConfiguration(classes = OrdersApplication.class)
    class OfJdbc {

        @Test
        void writersAndNumbersAreThere(@Autowired GroupCommitTemplate template, @Autowired Sequences sequences) {
            assertThat(template).isNotNull();
            assertThat(sequences).isNotNull();
        }
    }

    @Nested
    @RestClientTest(
            properties = {
                "collapse.executor.rest-template.apply-bean-names=orders",
                "collapse.executor.rest-template.collapse-groups[0].uris=/orders/*"
            })
    @ContextConfiguration(classes = Clients.class)
    class OfRestClient {

        @Test
        void aNamedClientCollapses(
                @Autowired RestClient orders,
                @Autowired MockRestServiceServer server,
                @Autowired List<HttpCallSummary> gathered) {
            server.expect(requestTo("/orders/1")).andRespond(withSuccess("one", MediaType.TEXT_PLAIN));
            assertThat(orders.get().uri("/orders/1").retrieve().body(String.class))
                    .isEqualTo("one");
            assertThat(gathered)
                    .singleElement()
                    .extracting(HttpCallSummary::role)
                    .isEqualTo(HttpCallSummary.Role.ALONE);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Clients {

        @Bean
        RestClient orders(RestClient.Builder builder) {
            return builder.build();
        }

        @Bean
        List<HttpCallSummary> gathered() {
            return new CopyOnWriteArrayList<>();
        }

        @Bean
        HttpCollapseListener listener(List<HttpCallSummary> gathered) {
            return new HttpCollapseListener() {
                @Override
                public void requestEnded(HttpCallSummary request) {
                    gathered.add(request);
                }
            };
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.springframework.boot.test.autoconfigure.web.client.AutoConfigureWebClient",
                "org.springframework.boot.restclient.test.autoconfigure.AutoConfigureRestClient",
                "org.springframework.boot.restclient.test.autoconfigure.AutoConfigureWebClient",
                "org.springframework.boot.webclient.test.autoconfigure.AutoConfigureWebClient"
            })
    void theSlicesOfClientsCollapse(String annotation) throws IOException {
        assertThat(listOf(annotation)).isEqualTo(CollapseExecutorAutoConfiguration.class.getName());
    }

    private static String listOf(String annotation) throws IOException {
        return new ClassPathResource("META-INF/spring/" + annotation + ".imports")
                .getContentAsString(StandardCharsets.UTF_8)
                .strip();
    }

    @Test
    void theListsHaveTheNamesOfTheirAnnotations() throws IOException {
        for (Class<?> annotation :
                List.of(AutoConfigureDataJpa.class, AutoConfigureDataJdbc.class, AutoConfigureJdbc.class)) {
            assertThat(listOf(annotation.getName())).isEqualTo(CollapseWritesAutoConfiguration.class.getName());
        }
    }

    /** Which are not on the class path of this test: the names of Spring Boot 4. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.springframework.boot.data.jpa.test.autoconfigure.AutoConfigureDataJpa",
                "org.springframework.boot.data.jdbc.test.autoconfigure.AutoConfigureDataJdbc",
                "org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureJdbc"
            })
    void soHaveThoseOfSpringBoot4(String annotation) throws IOException {
        assertThat(listOf(annotation)).isEqualTo(CollapseWritesAutoConfiguration.class.getName());
    }
}
