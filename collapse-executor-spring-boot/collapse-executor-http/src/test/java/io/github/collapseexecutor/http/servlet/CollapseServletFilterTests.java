package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is particular to a server: threads, paths, clients that leave, too many requests. */
class CollapseServletFilterTests extends HeldHandlerFixture {

    @ParameterizedTest
    @EnumSource
    void followersHoldNoThreadAndAreAnsweredLikeTheLeader(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            response.setContentType("text/plain;charset=UTF-8");
            response.setHeader("X-Own", "1");
            response.addHeader("Link", "a");
            response.addHeader("Link", "b");
            response.setIntHeader("X-Number", 7);
            response.setDateHeader("Last-Modified", 0);
            response.getWriter().write("gr\u00fc\u00dfe");
        };
        List<Response> responses = assertShared();
        assertThat(responses.get(0).body()).isEqualTo("gr\u00fc\u00dfe");
        responses.forEach(response -> response.headers().remove("date"));
        assertThat(responses).containsOnly(responses.get(0));
        assertThat(responses.get(0).header("Link")).containsExactly("a", "b");
        assertThat(waiting.arrivals()).isEqualTo(1 + FOLLOWERS);
    }

    @ParameterizedTest
    @EnumSource
    void aLoneRequestIsNotAsynchronous(ServletServer.Make make) throws Exception {
        start(make);
        holding = false;
        script = (request, response) ->
                response.getWriter().write(request.getDispatcherType() + " " + request.isAsyncStarted());
        assertThat(send(get()).response("GET").body()).isEqualTo("REQUEST false");
    }

    @ParameterizedTest
    @EnumSource
    void onlyTheRequestThatOpensABatchKeepsItsThreadUntilTheBatchStarts(ServletServer.Make make) throws Exception {
        threads = 5; // two of them serve connections on Jetty
        start(
                make,
                CollapsePolicy.strict(),
                CollapseOptions.builder().maxConcurrentBatches(1).build());
        script = (request, response) ->
                response.getWriter().write(request.getDispatcherType().name());
        List<Response> responses = responses(gathered());
        assertThat(responses).extracting(Response::body).containsOnly("REQUEST");
        assertThat(runs).hasValue(2);
    }

    @ParameterizedTest
    @EnumSource
    void H23_aLeaderWhoseClientIsGoneServesTheOthers(ServletServer.Make make) throws Exception {
        start(make);
        List<RawClient> all = gathered();
        all.get(0).close();
        List<Response> responses = responses(all.subList(1, all.size()));
        assertThat(responses).extracting(Response::body).containsOnly("body");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void aRequestTooManyGets503(ServletServer.Make make) throws Exception {
        start(make, CollapsePolicy.strict(), IN_FLIGHT.toBuilder().maxPending(1).build());
        RawClient leader = send(get());
        awaitHandler();
        assertThat(send(get()).response("GET").status()).isEqualTo(503);
        holding = false;
        released.countDown();
        assertThat(leader.response("GET").body()).isEqualTo("body");
    }

    /** A dispatch could lead elsewhere. Undertow leaves parameters in the servlet path, which no pattern reads for certain. */
    @ParameterizedTest
    @EnumSource(names = {"TOMCAT", "JETTY"})
    void requestsWithPathsThatAContainerMayReadInTwoWaysWaitOnTheirThreads(ServletServer.Make make) throws Exception {
        List<String> paths = List.of("/a;v=1", "/a%2eb", "/a/./b");
        threads = 4 + 2 * paths.size();
        start(make);
        script = (request, response) ->
                response.getWriter().write(request.getDispatcherType() + " of " + request.getRequestURI());
        List<RawClient> all = new ArrayList<>();
        for (String path : paths) {
            all.add(send(Request.get(URI.create("http://localhost" + path))));
            awaitHandler();
            all.add(send(Request.get(URI.create("http://localhost" + path))));
            waiting.await(1);
        }
        assertThat(waiting.parked()).isZero();
        List<Response> responses = responses(all);
        assertThat(runs).hasValue(paths.size());
        for (int i = 0; i < all.size(); i++) {
            assertThat(responses.get(i).body()).isEqualTo("REQUEST of " + paths.get(i / 2));
        }
    }

    @ParameterizedTest
    @EnumSource
    void H13_pathsThatNoPatternReadsForCertainAreNotCollapsed(ServletServer.Make make) throws Exception {
        List<String> paths = List.of("/a//b", "/a%2Fb", "/a%252Fb");
        threads = 2 + 2 * paths.size();
        start(make);
        List<RawClient> all = new ArrayList<>();
        for (String path : paths) {
            for (int i = 0; i < 2; i++) {
                all.add(send(Request.get(URI.create("http://localhost" + path))));
                awaitHandler();
            }
        }
        assertThat(responses(all)).extracting(Response::body).containsOnly("body");
    }

    @ParameterizedTest
    @EnumSource
    void H32_everybodyButTheLeaderIsToldWhyItWasAnsweredSo(ServletServer.Make make) throws Exception {
        start(
                make,
                HttpCollapseOptions.builder()
                        .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                        .cacheStatus("app"),
                IN_FLIGHT);
        List<Response> responses = assertShared();
        assertThat(responses.get(0).header("Cache-Status")).isEmpty();
        assertThat(responses.subList(1, responses.size()))
                .allSatisfy(response ->
                        assertThat(response.header("Cache-Status")).containsExactly("app; fwd=uri-miss; collapsed"));
    }
}
