package io.github.collapseexecutor.spring.boot.writes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** A name in the properties is that of a bean which is made, unless the application has a bean of the name in one of the ways that there are. */
class BeansByNameTests {

    private static final String YAML = "collapse.executor: {executors: {users: {join: in-flight}}}";

    private final BlockingCallableGroupCollapseExecutor own = new BlockingCallableGroupCollapseExecutor();

    private static TestApplication application() {
        return new TestApplication().alone();
    }

    @Test
    void aBeanThatHasTheNameAsAnAliasIsKept() {
        try (ConfigurableApplicationContext context =
                application().with(Aliased.class).start(YAML)) {
            assertThat(context.getBean("users")).isSameAs(context.getBean("loader"));
        }
    }

    @Test
    void anObjectThatWasRegisteredByTheNameIsKept() {
        try (ConfigurableApplicationContext context = application()
                .with(beans -> beans.getBeanFactory().registerSingleton("users", own))
                .start(YAML)) {
            assertThat(context.getBean("users")).isSameAs(own);
        }
    }

    @Test
    void aBeanOfAContextAboveIsFound() {
        try (GenericApplicationContext root = new GenericApplicationContext();
                GenericApplicationContext parent = new GenericApplicationContext(root)) {
            root.getBeanFactory().registerSingleton("users", own);
            root.refresh();
            parent.refresh();
            try (ConfigurableApplicationContext context =
                    application().with(beans -> beans.setParent(parent)).start(YAML)) {
                assertThat(context.getBean("users")).isSameAs(own);
            }
        }
    }

    /** As everything that is configured: each auto-configured context has its own. */
    @Test
    void aBeanThatAContextAboveHasMadeByTheNameIsNot() {
        try (ConfigurableApplicationContext parent = application().start(YAML);
                ConfigurableApplicationContext context =
                        application().with(beans -> beans.setParent(parent)).start("")) {
            assertThat(context.getBean("users", BlockingCallableGroupCollapseExecutor.class))
                    .isNotSameAs(parent.getBean("users"));
        }
    }

    @Test
    void soItIsWithWriters() {
        try (GroupCommit writer = new GroupCommit(NamedWritersFixture.database());
                ConfigurableApplicationContext context = application()
                        .with(beans -> beans.getBeanFactory().registerSingleton("orders", writer))
                        .start("collapse.executor.writers: {orders: {max-batch-size: 5}}")) {
            assertThat(context.getBean("orders")).isSameAs(writer);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Aliased {

        @Bean({"loader", "users"})
        BlockingCallableGroupCollapseExecutor loader() {
            return new BlockingCallableGroupCollapseExecutor();
        }
    }
}
