package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.Warnings;
import jakarta.servlet.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockFilterConfig;
import org.springframework.mock.web.MockFilterRegistration;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockServletContext;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Tests of users with MockMvc, in which there is no container: each request is handled as without the filter. */
class MockMvcTests {

    private static final int REQUESTS = 8;

    private static final ThreadLocal<String> USER = new ThreadLocal<>();

    /** Answers when all requests have come, so that none was answered with what another got. */
    @RestController
    static class Accounts {

        private final CyclicBarrier all = new CyclicBarrier(REQUESTS);

        @GetMapping("/me")
        String me() throws Exception {
            all.await(30, TimeUnit.SECONDS);
            return USER.get();
        }

        @GetMapping("/item")
        String item(@RequestParam("id") String id) throws Exception {
            all.await(30, TimeUnit.SECONDS);
            return id;
        }
    }

    private final Callers callers = new Callers();

    @AfterEach
    void stop() {
        callers.close();
    }

    private static CollapseServletFilter collapsing() {
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**")))
                .build();
        return CollapseServletFilter.builder(http).build();
    }

    /** As Spring Boot does, whose filters have no order that MockMvc knows: it stands in front of what it should stand behind. */
    private static MockMvc mvc(Filter... behind) {
        return MockMvcBuilders.standaloneSetup(new Accounts())
                .addFilter(collapsing(), "/*")
                .addFilters(behind)
                .build();
    }

    /** As MockMvc makes one, whose own builders are other classes in each generation of Spring. */
    private static MockHttpServletRequest get(String path) {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", path);
        request.setPathInfo(path);
        return request;
    }

    /** Has requests made at the same time, of which each is to be answered with the name of its thread. */
    private void eachGetsItsOwn(MockMvc mvc, Function<String, MockHttpServletRequest> request) throws Exception {
        List<Caller<MvcResult>> asking = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            String name = "user " + i;
            asking.add(callers.start(() -> {
                USER.set(name);
                return mvc.perform(context -> request.apply(name)).andReturn();
            }));
        }
        for (int i = 0; i < REQUESTS; i++) {
            MvcResult result = asking.get(i).get();
            assertThat(result.getRequest().isAsyncStarted()).isFalse();
            assertThat(result.getHandler()).isNotNull();
            assertThat(result.getResponse().getContentAsString()).isEqualTo("user " + i);
        }
    }

    @Test
    void H05_usersOfThreadsGetTheirOwn() throws Exception {
        eachGetsItsOwn(mvc(), name -> get("/me"));
    }

    @Test
    void H05_usersWhomAFilterBehindNamesGetTheirOwn() throws Exception {
        Filter naming = (request, response, chain) -> {
            USER.set(String.valueOf(request.getAttribute("user")));
            chain.doFilter(request, response);
        };
        eachGetsItsOwn(mvc(naming), name -> {
            MockHttpServletRequest request = get("/me");
            request.setAttribute("user", name);
            return request;
        });
    }

    @Test
    void parametersWithoutAQueryCount() throws Exception {
        eachGetsItsOwn(mvc(), name -> {
            MockHttpServletRequest request = get("/item");
            request.addParameter("id", name);
            return request;
        });
    }

    /** Spring's registration of a filter does not know what it is mapped to. */
    @Test
    void nothingIsSaidOfAMappingThatIsNotKnown() {
        MockServletContext context = new MockServletContext();
        try (Warnings warnings = new Warnings(CollapseServletFilter.class)) {
            CollapseServletFilter filter = collapsing();
            context.addFilterRegistration(new MockFilterRegistration("collapsing"));
            filter.init(new MockFilterConfig(context, "collapsing"));
            assertThat(warnings.messages()).isEmpty();
        }
    }
}
