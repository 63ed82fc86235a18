package io.github.collapseexecutor.sample.groupcommit;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/** More and more users order from a thousand products, plain and collapsed, on every disk, and each second is sampled. */
@Component
@Lazy
class RampRun implements Experiment {

    /** Each way warms up for this part of a ramp with all users. With less, the first ramp shows the compiler at work: it rose for 35 s. */
    private static final int WARM_UP_PART = 4;

    // immutable
    private final ShopUnderLoad shop;
    private final Disks disks;
    private final LoadResult result;
    private final Optional<ProcessHandle> database;
    private final Ramp ramp;
    private final List<LoadScenario.Way> ways;

    RampRun(
            ShopUnderLoad shop,
            Disks disks,
            LoadResult result,
            ObjectProvider<EmbeddedMariaDb> embedded,
            LimitedOrders limited,
            @Value("${load.ramp}") String ramp) {
        this.shop = shop;
        this.disks = disks;
        this.result = result;
        this.database = embedded.stream().map(EmbeddedMariaDb::process).findFirst();
        this.ramp = Ramp.parse(ramp);
        this.ways = Stream.of(LoadScenario.Way.PLAIN, LoadScenario.Way.LIMITED, LoadScenario.Way.COLLAPSED)
                .filter(way -> way != LoadScenario.Way.LIMITED || limited.isLimited())
                .toList();
    }

    @Override
    public boolean run() throws IOException, InterruptedException {
        for (LoadScenario.Way way : ways) {
            shop.warmUp(LoadScenario.ORDERS, way, ramp.users(), ramp.rise().dividedBy(WARM_UP_PART));
        }
        List<RampResult> results = new ArrayList<>();
        for (Disk disk : disks.all()) {
            for (LoadScenario.Way way : ways) {
                RampResult one = rise(disk, way);
                results.add(one);
                System.out.println(progress(one));
            }
        }
        shop.tidyUp();
        return result.write(
                RampPage.of(result.machine(), ramp, results),
                results.stream().map(RampResult::measurement).toList());
    }

    private RampResult rise(Disk disk, LoadScenario.Way way) throws InterruptedException {
        List<RampSample> samples = new ArrayList<>();
        LoadMeasurement measurement = shop.measure(disk, LoadScenario.ORDERS, way, users -> {
            CountDownLatch present = users.rise(ramp.users(), ramp.rise());
            samples.addAll(samples(users, present));
            present.await();
        });
        return new RampResult(measurement, samples);
    }

    /** Takes a sample at the end of each second. */
    private List<RampSample> samples(LoadUsers users, CountDownLatch present) throws InterruptedException {
        OperatingSystemMXBean machine = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        double unused = machine.getCpuLoad(); // since when the next one counts
        ProcessMeter server = new ProcessMeter(ProcessHandle.current());
        Optional<ProcessMeter> databaseMeter = database.map(ProcessMeter::new);
        List<RampSample> samples = new ArrayList<>();
        long begin = System.nanoTime();
        long last = begin;
        for (int second = 1; second <= ramp.seconds(); second++) {
            long due = begin + TimeUnit.SECONDS.toNanos(second);
            boolean over = present.await(due - System.nanoTime(), TimeUnit.NANOSECONDS);
            LoadInterval interval = users.takeInterval();
            long now = System.nanoTime();
            double load = machine.getCpuLoad();
            samples.add(new RampSample(
                    second,
                    interval.users(),
                    interval.answers().getTotalCount() * 1e9 / (now - last),
                    interval.answers().getMean() / 1e6,
                    interval.answers().getValueAtPercentile(99) / 1e6,
                    load >= 0 ? OptionalDouble.of(100 * load) : OptionalDouble.empty(),
                    server.take(),
                    databaseMeter.map(ProcessMeter::take).orElse(ProcessUse.UNKNOWN)));
            last = now;
            if (over) {
                break; // nobody is there any more
            }
        }
        return samples;
    }

    private static String progress(RampResult one) {
        LoadMeasurement measurement = one.measurement();
        Peak peak = one.peak();
        return String.format(
                Locale.ROOT,
                "%s: %-19s up to %d users: most orders %.0f/s with %.0f users, 95 %% of that with %.0f; %d orders, %s,"
                        + " %d mistakes",
                measurement.disk().title(),
                measurement.way().title(),
                measurement.users(),
                peak.perSecond(),
                peak.users(),
                peak.enoughUsers(),
                measurement.acknowledged(),
                measurement.failures(),
                measurement.mistakes());
    }
}
