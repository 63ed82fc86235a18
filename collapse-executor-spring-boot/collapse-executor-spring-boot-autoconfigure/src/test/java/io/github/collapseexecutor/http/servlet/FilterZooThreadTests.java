package io.github.collapseexecutor.http.servlet;

import static io.github.collapseexecutor.http.servlet.zoo.ZooHandler.PATH;
import static io.github.collapseexecutor.http.servlet.zoo.ZooHandler.SERVLET_PATH;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.servlet.zoo.LimitFilters;
import io.github.collapseexecutor.http.servlet.zoo.ThreadFilters;
import io.github.collapseexecutor.http.servlet.zoo.ZooApplication;
import io.github.collapseexecutor.http.servlet.zoo.ZooApplication.Round;
import io.github.collapseexecutor.http.servlet.zoo.ZooClient.Call;
import io.github.collapseexecutor.http.servlet.zoo.ZooSetting;
import io.github.collapseexecutor.http.servlet.zoo.ZooTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.slf4j.MDC;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.filter.RequestContextFilter;

/** Filters that give their thread something for the time of a request: the handler finds what belongs to its own request. */
class FilterZooThreadTests {

    private static final int CALLERS = 20;

    /** So many that the right one is not found by luck. */
    private static final List<String> VALUES = List.of("fr", "it", "de", "es", "pl");

    /** A handler that shows the value of a header, as its thread knows it, shows each request its own. */
    private static void assertEachSeesItsOwn(ZooSetting setting, Call call, String header, ZooApplication.Builder zoo)
            throws Exception {
        try (ZooApplication application = zoo.start()) {
            List<Call> calls = new ArrayList<>();
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                expected.add(VALUES.get(i % VALUES.size()));
                calls.add(call.with(header, expected.get(i)));
            }
            Round round = application.togetherAsAlone(calls);
            assertThat(round.bodies()).isEqualTo(expected);
            assertThat(round.runs())
                    .isEqualTo(setting.runs(Collections.nCopies(VALUES.size(), CALLERS / VALUES.size())));
        }
    }

    @ZooTest(ThreadFilters.Tenant.class)
    void H37_aHandlerSeesTheTenantThatAFilterSetsAndClears(ZooSetting setting) throws Exception {
        assertEachSeesItsOwn(
                setting,
                Call.get(PATH),
                ThreadFilters.TENANT_HEADER,
                ZooApplication.on(setting).filter(new ThreadFilters.Tenant()).shows(request -> ThreadFilters.tenant()));
    }

    @ZooTest(ThreadFilters.ForgetfulTenant.class)
    void H37_aHandlerSeesTheTenantThatAFilterSetsAndDoesNotClear(ZooSetting setting) throws Exception {
        assertEachSeesItsOwn(
                setting,
                Call.get(PATH),
                ThreadFilters.TENANT_HEADER,
                ZooApplication.on(setting)
                        .filter(new ThreadFilters.ForgetfulTenant())
                        .shows(request -> ThreadFilters.tenant()));
    }

    @ZooTest(ThreadFilters.LogContext.class)
    void H37_aHandlerLogsInTheContextOfItsOwnRequest(ZooSetting setting) throws Exception {
        ThreadFilters.LogContext filter = new ThreadFilters.LogContext();
        assertEachSeesItsOwn(
                setting,
                Call.get(PATH),
                ThreadFilters.TENANT_HEADER,
                ZooApplication.on(setting)
                        .filter(filter)
                        .shows(request -> String.valueOf(MDC.get(ThreadFilters.LogContext.KEY))));
        assertThat(filter.left()).isEmpty();
    }

    @ZooTest(ThreadFilters.OwnLocale.class)
    void H37_aHandlerSeesTheLocaleThatAFilterSets(ZooSetting setting) throws Exception {
        assertEachSeesItsOwn(
                setting,
                Call.get(SERVLET_PATH),
                ThreadFilters.OwnLocale.HEADER,
                ZooApplication.on(setting)
                        .filter(new ThreadFilters.OwnLocale())
                        .shows(request -> LocaleContextHolder.getLocale().toLanguageTag()));
    }

    @ZooTest(RequestContextFilter.class)
    void aHandlerSeesTheLocaleThatItsRequestAccepts(ZooSetting setting) throws Exception {
        assertEachSeesItsOwn(
                setting,
                Call.get(PATH),
                "Accept-Language",
                ZooApplication.on(setting)
                        .filter(new RequestContextFilter())
                        .shows(request -> LocaleContextHolder.getLocale().toLanguageTag()));
    }

    @ZooTest(RequestContextFilter.class)
    void aHandlerFindsItsOwnRequestInTheRequestContext(ZooSetting setting) throws Exception {
        assertEachSeesItsOwn(
                setting,
                Call.get(SERVLET_PATH),
                ThreadFilters.TENANT_HEADER,
                ZooApplication.on(setting)
                        .filter(new RequestContextFilter())
                        .shows(request -> RequestContextHolder.getRequestAttributes()
                                        instanceof ServletRequestAttributes attributes
                                ? attributes.getRequest().getHeader(ThreadFilters.TENANT_HEADER)
                                : "no request"));
    }

    @ZooTest(ThreadFilters.OpenUnitOfWork.class)
    void H37_aHandlerFindsAnOpenUnitOfWorkOnItsThread(ZooSetting setting) throws Exception {
        ThreadFilters.OpenUnitOfWork filter = new ThreadFilters.OpenUnitOfWork();
        try (ZooApplication application = ZooApplication.on(setting)
                .filter(filter)
                .shows(request -> filter.found())
                .start()) {
            Round round = application.together(Call.get(PATH).times(CALLERS));
            assertThat(round.bodies()).containsOnly("open");
            assertThat(round.runs()).isEqualTo(setting.runs(List.of(CALLERS)));
            assertThat(filter.opened()).isEqualTo(CALLERS);
        }
    }

    @ZooTest(ThreadFilters.Passage.class)
    void H37_aFilterIsEnteredAndLeftOnceByTheThreadThatRunsTheHandler(ZooSetting setting) throws Exception {
        ThreadFilters.Passage filter = new ThreadFilters.Passage();
        try (ZooApplication application = ZooApplication.on(setting)
                .filterOfAllDispatches(filter)
                .shows(request -> {
                    filter.record(request, "handled");
                    return "shown";
                })
                .start()) {
            Round round = application.together(Call.get(PATH).times(CALLERS));
            int handled = 0;
            for (int i = 0; i < CALLERS; i++) {
                List<String> steps = filter.steps(round.firstNumber() + i);
                assertThat(steps).as("request %s", i).hasSizeGreaterThanOrEqualTo(2);
                String thread = steps.get(0).substring("entered".length());
                boolean runsHandler = steps.contains("handled" + thread);
                handled += runsHandler ? 1 : 0;
                assertThat(steps)
                        .as("request %s", i)
                        .isEqualTo(
                                runsHandler
                                        ? List.of("entered" + thread, "handled" + thread, "left" + thread)
                                        : List.of("entered" + thread, "left" + thread));
            }
            assertThat(handled).isEqualTo(round.runs()).isEqualTo(setting.runs(List.of(CALLERS)));
        }
    }

    @ZooTest(LimitFilters.Concurrency.class)
    void H37_aSemaphoreLetsNoMoreInThanItHasPermitsAndLosesNone(ZooSetting setting) throws Exception {
        int permits = 4;
        LimitFilters.Concurrency filter = new LimitFilters.Concurrency(permits);
        try (ZooApplication application =
                ZooApplication.on(setting).filter(filter).start()) {
            Round round = application.together(
                    Call.get(PATH).times(CALLERS),
                    () -> assertThat(filter.passed()).as("inside").isEqualTo(permits));
            assertThat(round.bodies()).hasSize(CALLERS).containsOnly("shown");
            assertThat(round.runs()).isLessThan(setting.collapses() ? CALLERS : CALLERS + 1);
            assertThat(filter.passed()).isEqualTo(CALLERS);
            assertThat(filter.available()).isEqualTo(permits);
        }
    }

    @ZooTest(LimitFilters.Timing.class)
    void H37_aFilterMeasuresHowLongEachRequestTakes(ZooSetting setting) throws Exception {
        LimitFilters.Timing filter = new LimitFilters.Timing();
        try (ZooApplication application =
                ZooApplication.on(setting).filter(filter).start()) {
            Round round = application.together(Call.get(PATH).times(CALLERS));
            assertThat(round.runs()).isEqualTo(setting.runs(List.of(CALLERS)));
            for (int i = 0; i < CALLERS; i++) {
                LimitFilters.Timing.Measured measured = filter.of(round.firstNumber() + i);
                assertThat(measured.leftAt() - round.openedAt())
                        .as("from the handler's release to the filter's end, request %s", i)
                        .isPositive();
                assertThat(round.openedAt() - measured.enteredAt())
                        .as("from the filter's begin to the handler's release, request %s", i)
                        .isPositive();
            }
        }
    }
}
