package io.github.collapseexecutor.sample.springboot;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * The demonstration: asks this application's own endpoints over HTTP, each time without and with collapsing, and prints what
 * the backend had to do and how long the callers waited. It runs once, when the application is ready.
 *
 * <p>Callers and backend share one machine, so that the latencies tell how the two ways compare here and nothing else.
 */
@Component
@ConditionalOnBooleanProperty(name = "sample.demonstration")
public class CollapsingDemonstration {

    private static final String LEGEND = """
            one by one   every caller asks for a user of its own: there is nothing to share, and every call is made
            in batches   the same callers, but one request for many users answers all that asked meanwhile
            hot          every user is asked for by 100 callers: one request answers all that asked meanwhile
            /test        all ask this server, which has 200 threads, for work of 100 ms, and a backend call is one run of its
                         handler: /test/noop100 without and /test/collapse100 with the Servlet filter
            """;

    // immutable
    private final List<Scenario> scenarios;
    private final UserService users;
    private final SampleAddresses addresses;
    private final CompletableFuture<List<Measurement>> result = new CompletableFuture<>();

    CollapsingDemonstration(Scenarios scenarios, UserService users, SampleAddresses addresses) {
        this.scenarios = scenarios.all();
        this.users = users;
        this.addresses = addresses;
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
        System.out.println("Measuring for half a minute; each call for users takes "
                + users.serviceTime().toMillis() + " ms ...");
        try {
            for (Scenario scenario : scenarios) {
                scenario.measure(); // to warm up both sides
            }
            List<Measurement> measurements = new ArrayList<>();
            for (Scenario scenario : scenarios) {
                measurements.addAll(scenario.measure());
            }
            System.out.println();
            System.out.println(MeasurementTable.of(measurements));
            System.out.println(LEGEND);
            System.out.println("Up at " + addresses.root() + " until Ctrl-C: open it in a browser, or try: curl "
                    + addresses.user(1));
            result.complete(List.copyOf(measurements));
        } catch (Exception e) {
            result.completeExceptionally(e);
            throw e;
        }
    }
}
