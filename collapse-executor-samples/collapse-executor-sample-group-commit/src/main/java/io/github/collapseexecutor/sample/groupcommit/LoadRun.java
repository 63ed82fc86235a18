package io.github.collapseexecutor.sample.groupcommit;

import io.github.collapseexecutor.figures.SectionFile;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/** Every scenario with every number of users on every disk, in one way after the other. */
@Component
@Lazy
class LoadRun implements Experiment {

    /** Of each way of each scenario, so that all of the shop is compiled before anything is measured. */
    private static final Duration WARM_UP = Duration.ofSeconds(5);

    // immutable
    private final ShopUnderLoad shop;
    private final Disks disks;
    private final LoadResult result;
    private final int[] users;
    private final Duration duration;

    LoadRun(
            ShopUnderLoad shop,
            Disks disks,
            LoadResult result,
            @Value("${load.users}") int[] users,
            @Value("${load.duration}") Duration duration) {
        for (int count : users) {
            if (count < 1) {
                throw new IllegalArgumentException("load.users holds " + count + ": each must be at least 1");
            }
        }
        this.shop = shop;
        this.disks = disks;
        this.result = result;
        this.users = users;
        this.duration = duration;
    }

    @Override
    public boolean run() throws IOException, InterruptedException {
        Duration warmUp = duration.compareTo(WARM_UP) < 0 ? duration : WARM_UP;
        for (LoadScenario scenario : LoadScenario.values()) {
            for (LoadScenario.Way way : scenario.ways()) {
                shop.warmUp(scenario, way, users[users.length - 1], warmUp);
            }
        }
        int total = disks.all().size()
                * users.length
                * Stream.of(LoadScenario.values())
                        .mapToInt(scenario -> scenario.ways().size())
                        .sum();
        List<LoadMeasurement> measurements = new ArrayList<>();
        for (Disk disk : disks.all()) {
            for (LoadScenario scenario : LoadScenario.values()) {
                for (int count : users) {
                    for (LoadScenario.Way way : scenario.ways()) {
                        LoadMeasurement measurement =
                                shop.measure(disk, scenario, way, load -> load.ask(count, duration));
                        measurements.add(measurement);
                        System.out.println(progress(measurements.size(), total, measurement));
                    }
                }
            }
        }
        shop.tidyUp();
        SectionFile.offer(LoadPage.sections(result.machine(), duration, measurements));
        return result.write(LoadPage.of(result.machine(), disks.all(), duration, measurements), measurements);
    }

    private static String progress(int done, int total, LoadMeasurement measurement) {
        return String.format(
                Locale.ROOT,
                "[%2d/%d] %s: %-23s %-15s %3d users: %6.0f/s, p50 %6.1f ms, p99 %6.1f ms, %5.1f per commit,"
                        + " %4.2f statements each, %s, %d mistakes",
                done,
                total,
                measurement.disk().title(),
                measurement.scenario().title(),
                measurement.way().title(),
                measurement.users(),
                measurement.perSecond(),
                measurement.p50Millis(),
                measurement.p99Millis(),
                measurement.requestsPerCommit(),
                measurement.statementsPerRequest(),
                measurement.failures(),
                measurement.mistakes());
    }
}
