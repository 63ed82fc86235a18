package io.github.collapseexecutor.sample.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.sample.hibernate.entity.Order;
import io.github.collapseexecutor.sample.hibernate.entity.OrdersApplication;
import io.github.collapseexecutor.sequence.Sequences;
import io.github.collapseexecutor.spring.boot.CollapseWritesAutoConfiguration;
import io.github.collapseexecutor.spring.jdbc.GroupCommitTemplate;
import jakarta.persistence.EntityManager;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.ContextConfiguration;

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
