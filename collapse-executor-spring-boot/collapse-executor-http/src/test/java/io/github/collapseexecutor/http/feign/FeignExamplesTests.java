package io.github.collapseexecutor.http.feign;

import feign.Capability;
import feign.Client;
import feign.DefaultClient;
import feign.Feign;
import feign.Param;
import feign.RequestLine;
import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What docs/feign.md shows. */
@OnEachJdk
class FeignExamplesTests extends OriginFixture {

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

    @Test
    void aClientCollapses() throws Exception {
        Users users = oneClient(origin.uri("").toString());
        assertCollapses(() -> users.find(7), "/user/7");
    }

    @Test
    void aCapabilityHasEachFeignClientCollapse() throws Exception {
        Users users = Feign.builder()
                .addCapability(new Clients().collapsing())
                .target(Users.class, origin.uri("").toString());
        assertCollapses(() -> users.find(7), "/user/7");
    }
}
