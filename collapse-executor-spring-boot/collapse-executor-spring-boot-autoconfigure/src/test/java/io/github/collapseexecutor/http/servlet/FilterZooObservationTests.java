package io.github.collapseexecutor.http.servlet;

import static io.github.collapseexecutor.http.servlet.zoo.ZooHandler.PATH;
import static io.github.collapseexecutor.http.servlet.zoo.ZooHandler.ROUTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.http.servlet.zoo.ThreadFilters;
import io.github.collapseexecutor.http.servlet.zoo.ZooApplication;
import io.github.collapseexecutor.http.servlet.zoo.ZooApplication.Round;
import io.github.collapseexecutor.http.servlet.zoo.ZooClient.Call;
import io.github.collapseexecutor.http.servlet.zoo.ZooSetting;
import io.github.collapseexecutor.http.servlet.zoo.ZooTest;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.web.filter.RequestContextFilter;
import org.springframework.web.filter.ServerHttpObservationFilter;

/** What observes requests sees each of them, and how requests wait depends on the filters in front. */
class FilterZooObservationTests {

    private static final int CALLERS = 20;

    /** One line for each observation that has ended: its names and its key values. */
    private static final class Recorded implements ObservationHandler<Observation.Context> {

        // mutable, thread-safe
        private final Queue<String> lines = new ConcurrentLinkedQueue<>();

        private List<String> lines() {
            return List.copyOf(lines);
        }

        @Override
        public void onStop(Observation.Context context) {
            List<String> values = new ArrayList<>();
            context.getLowCardinalityKeyValues().forEach(value -> {
                if (List.of("uri", "status", "outcome", "exception").contains(value.getKey())) {
                    values.add(value.getKey() + "=" + value.getValue());
                }
            });
            Collections.sort(values);
            lines.add(context.getName() + ", " + context.getContextualName() + ", " + values);
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    @ZooTest(ServerHttpObservationFilter.class)
    void H40_eachRequestIsObservedWithTheRouteOfItsHandler(ZooSetting setting) throws Exception {
        Recorded recorded = new Recorded();
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(recorded);
        try (ZooApplication application = ZooApplication.on(setting)
                .filter(new ServerHttpObservationFilter(registry))
                .start()) {
            Round round = application.together(Call.get(PATH).times(CALLERS));
            assertThat(round.bodies()).containsOnly("shown");
            assertThat(round.runs()).isEqualTo(setting.runs(List.of(CALLERS)));
            await().untilAsserted(() -> assertThat(recorded.lines()).hasSize(CALLERS));
            assertThat(recorded.lines())
                    .containsOnly("http.server.requests, http get " + ROUTE
                            + ", [exception=none, outcome=SUCCESS, status=200, uri=" + ROUTE + "]");
        }
    }

    @ZooTest(RequestContextFilter.class)
    void H37_requestsThatWaitHoldNoThreadWhereEveryFilterBearsIt(ZooSetting setting) throws Exception {
        try (ZooApplication application =
                ZooApplication.on(setting).filter(new RequestContextFilter()).start()) {
            Round round = application.together(Call.get(PATH).times(CALLERS));
            assertThat(round.bodies()).containsOnly("shown");
            assertThat(round.parked()).isEqualTo(setting.parked(CALLERS - 1, true));
        }
    }

    @ZooTest(ThreadFilters.Tenant.class)
    void H37_requestsThatWaitKeepTheirThreadBehindAFilterThatNobodyKnows(ZooSetting setting) throws Exception {
        try (ZooApplication application =
                ZooApplication.on(setting).filter(new ThreadFilters.Tenant()).start()) {
            Round round = application.together(
                    Call.get(PATH).with(ThreadFilters.TENANT_HEADER, "one").times(CALLERS));
            assertThat(round.bodies()).containsOnly("shown");
            assertThat(round.parked()).isEqualTo(setting.parked(CALLERS - 1, false));
        }
    }
}
