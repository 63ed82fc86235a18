package io.github.collapseexecutor.sample.springboot;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * The demonstration: asks this application's own endpoints for users, over HTTP, each time without and with collapsing, and
 * prints what the backend had to do and how long the callers waited. It runs once, when the application is ready.
 *
 * <p>Callers and backend share one machine, so that the latencies tell how the two ways compare here and nothing else.
 */
@Component
public class RestTemplateCollapseBlockingCallSample {

    private static final Callers ONE_EACH = new Callers(50, 50, 20);
    private static final Callers HOT = new Callers(200, 2, 10);

    private static final String LEGEND = """
            one by one   every caller asks for a user of its own: there is nothing to share, and nothing is lost
            in batches   the same callers, but one request for many users answers all who asked meanwhile
            hot          every user is asked for by 100 callers: one request answers all who asked meanwhile
            """;

    // immutable
    private final List<Scenario> scenarios;
    private final UserService users;
    private final UserAddresses addresses;
    private final CompletableFuture<List<Measurement>> result = new CompletableFuture<>();

    RestTemplateCollapseBlockingCallSample(
            RestTemplate restTemplate,
            RestTemplate plainRestTemplate,
            RestClient restClient,
            RestClient plainRestClient,
            RestTemplateBatchGetExecutor batches,
            UserService users,
            UserAddresses addresses) {
        this.users = users;
        this.addresses = addresses;
        scenarios = List.of(
                new Scenario("1-50 one by one (RestTemplate)", ONE_EACH, by(plainRestTemplate), by(restTemplate)),
                new Scenario("1-50 in batches (Support)", ONE_EACH, by(plainRestTemplate), batches::execute),
                new Scenario("1-2 hot (RestTemplate)", HOT, by(plainRestTemplate), by(restTemplate)),
                new Scenario("1-2 hot (RestClient)", HOT, by(plainRestClient), by(restClient)));
    }

    /**
     * Returns what was measured, scenario by scenario, first without and then with collapsing.
     *
     * @return a future that the end of the demonstration completes
     */
    public CompletableFuture<List<Measurement>> result() {
        return result.copy();
    }

    @EventListener(ApplicationReadyEvent.class)
    void processOnStarted() throws Exception {
        System.out.println("Measuring for a few seconds; each backend call takes "
                + users.serviceTime().toMillis() + " ms ...");
        try {
            for (Scenario scenario : scenarios) {
                measure(scenario.half()); // to warm up both sides
            }
            List<Measurement> measurements = new ArrayList<>();
            for (Scenario scenario : scenarios) {
                measurements.addAll(measure(scenario));
            }
            System.out.println();
            System.out.println(MeasurementTable.of(measurements));
            System.out.println(LEGEND);
            System.out.println("Up at " + addresses.root() + " until Ctrl-C. Try: curl " + addresses.user(1));
            result.complete(List.copyOf(measurements));
        } catch (Exception e) {
            result.completeExceptionally(e);
            throw e;
        }
    }

    private List<Measurement> measure(Scenario scenario) throws Exception {
        return List.of(measure(scenario, false), measure(scenario, true));
    }

    private Measurement measure(Scenario scenario, boolean collapsing) throws Exception {
        long before = users.calls();
        Callers.Answers answers = scenario.callers().ask(collapsing ? scenario.collapsing() : scenario.plain());
        return new Measurement(
                scenario.name(),
                collapsing,
                scenario.callers().count(),
                answers.count(),
                users.calls() - before,
                answers.percentile(50),
                answers.percentile(99),
                answers.wrong());
    }

    private Callers.Question by(RestTemplate client) {
        return id -> client.getForObject(addresses.user(id), UserEntity.class);
    }

    private Callers.Question by(RestClient client) {
        return id -> client.get().uri(addresses.user(id)).retrieve().body(UserEntity.class);
    }

    /** What callers do, in two ways. */
    private record Scenario(String name, Callers callers, Callers.Question plain, Callers.Question collapsing) {

        Scenario half() {
            return new Scenario(name, callers.half(), plain, collapsing);
        }
    }
}
