package io.github.collapseexecutor.spring.annotation.method;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.collapseexecutor.LoggedEvents;
import io.github.collapseexecutor.spring.annotation.Application;
import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import jakarta.persistence.Entity;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.http.ResponseEntity;
import reactor.core.publisher.Mono;

/** Callers that get the same entity are warned of where they could change it. */
class ChangeableEntitiesTests {

    /** What can be changed by everybody. */
    static class Named {

        private @Nullable String name;

        public @Nullable String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }
    }

    @Entity
    static class Owner extends Named {}

    /** What a proxy of an owner is. */
    static class LoadedOwner extends Owner {}

    @Table("rows")
    static class Row extends Named {}

    @Entity
    @Immutable
    static class Country extends Named {}

    @Entity
    static class WithoutSetters {

        public String getName() {
            return "a name";
        }
    }

    @Table("users")
    record User(String name) {}

    static class One {
        @Collapsible
        public @Nullable Owner owner() {
            return null;
        }
    }

    static class Loaded {
        @Collapsible
        public @Nullable LoadedOwner owner() {
            return null;
        }
    }

    static class OfSpringData {
        @Collapsible
        public Optional<Row> row() {
            return Optional.empty();
        }
    }

    static class InArray {
        @Collapsible
        public Owner[] owners() {
            return new Owner[0];
        }
    }

    static class Nested {
        @Collapsible
        public CompletableFuture<Map<String, List<? extends Owner>>> owners() {
            return CompletableFuture.completedFuture(Map.of());
        }
    }

    static class OfMono {
        @Collapsible
        public Mono<ResponseEntity<Owner>> owner() {
            return Mono.empty();
        }
    }

    abstract static class Generic<T> {
        @Collapsible
        public Optional<T> any() {
            return Optional.empty();
        }
    }

    static class OfTypeVariable extends Generic<Owner> {}

    static class Batched {
        @CollapseBatch(method = "owners", itemKey = "name")
        public Optional<Owner> owner(String name) {
            return Optional.empty();
        }

        public List<Owner> owners(Collection<String> names) {
            return List.of();
        }
    }

    static Stream<Class<?>> sharesWhatCanBeChanged() {
        return Stream.of(
                One.class,
                Loaded.class,
                OfSpringData.class,
                InArray.class,
                Nested.class,
                OfMono.class,
                OfTypeVariable.class,
                Batched.class);
    }

    @ParameterizedTest
    @MethodSource("sharesWhatCanBeChanged")
    void methodWhoseCallersGetTheSameEntityIsWarnedOfOnce(Class<?> bean) {
        List<String> warnings = warningsOf(bean);

        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0))
                .contains(bean.getSimpleName() + ".")
                .containsPattern("the same [\\w.$]+(Owner|Row), an entity with setters")
                .contains("Return a record or a projection");
    }

    static class Harmless {

        @Collapsible
        public Optional<Country> country() {
            return Optional.empty();
        }

        @Collapsible
        public List<WithoutSetters> without() {
            return List.of();
        }

        @Collapsible
        public List<User> users() {
            return List.of();
        }

        @Collapsible
        public Named form() {
            return new Named();
        }

        @Collapsible
        public <T extends Comparable<T>> Optional<T> greatest() {
            return Optional.empty();
        }

        /** Not annotated. */
        public Owner owner() {
            return new Owner();
        }
    }

    @Test
    void entitiesThatNobodyChangesAndOtherAnswersAreNotWarnedOf() {
        assertThat(warningsOf(Harmless.class)).isEmpty();
    }

    private static List<String> warningsOf(Class<?> bean) {
        try (LoggedEvents logged = new LoggedEvents(ChangeableEntities.class, Level.WARN)) {
            Application.start(bean).close();
            return logged.messages();
        }
    }
}
