package io.github.collapseexecutor.http.feign;

import static org.assertj.core.api.Assertions.assertThat;

import feign.Capability;
import feign.Client;
import feign.DefaultClient;
import feign.Feign;
import feign.Param;
import feign.RequestLine;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What docs/feign.md shows. */
class FeignExamplesTests {

    private static final int ROUNDS = 10;
    private static final int CALLERS = 20;

    interface Users {

        @RequestLine("GET /user/{id}")
        String find(@Param("id") long id);
    }

    private static Users oneClient(String address) {
        // readme:begin feign
        Client client = new CollapseFeignClient(new DefaultClient(null, null), HttpCollapseOptions.forPaths("/user/*"));
        Users users = Feign.builder().client(client).target(Users.class, address);
        // readme:end
        return users;
    }

    @Configuration(proxyBeanMethods = false)
    static class Clients {

        // readme:begin feign-capability
        @Bean
        Capability collapsing() {
            return new CollapseFeignCapability(HttpCollapseOptions.forPaths("/user/*"));
        }
        // readme:end
    }

    private static void assertCollapses(ScriptedOrigin origin, Users users) throws Exception {
        try (Callers callers = new Callers()) {
            for (int round = 0; round < ROUNDS; round++) {
                CountDownLatch allAsked = new CountDownLatch(CALLERS);
                origin.answer(request -> {
                    try {
                        allAsked.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return OriginReply.ok(request.target());
                });
                List<Caller<String>> asking = new ArrayList<>();
                for (int i = 0; i < CALLERS; i++) {
                    asking.add(callers.start(() -> {
                        allAsked.countDown();
                        return users.find(7);
                    }));
                }
                for (Caller<String> caller : asking) {
                    assertThat(caller.get()).isEqualTo("/user/7");
                }
            }
        }
        assertThat(origin.requests()).hasSizeLessThan(ROUNDS * CALLERS);
    }

    @Test
    void aClientCollapses() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start()) {
            assertCollapses(origin, oneClient(origin.uri("").toString()));
        }
    }

    @Test
    void aCapabilityHasEachFeignClientCollapse() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start()) {
            assertCollapses(
                    origin,
                    Feign.builder()
                            .addCapability(new Clients().collapsing())
                            .target(Users.class, origin.uri("").toString()));
        }
    }
}
