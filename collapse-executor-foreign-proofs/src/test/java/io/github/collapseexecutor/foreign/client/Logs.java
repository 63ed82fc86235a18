package io.github.collapseexecutor.foreign.client;

import java.util.concurrent.atomic.AtomicLong;
import org.zalando.logbook.Correlation;
import org.zalando.logbook.HttpLogWriter;
import org.zalando.logbook.Logbook;
import org.zalando.logbook.Precorrelation;
import org.zalando.logbook.Strategy;
import org.zalando.logbook.core.DefaultHttpLogFormatter;
import org.zalando.logbook.core.DefaultSink;
import org.zalando.logbook.core.DefaultStrategy;
import org.zalando.logbook.core.WithoutBodyStrategy;

/** Logbook, which reads each body to write it down. */
final class Logs {

    private Logs() {}

    static Logbook withBodies() {
        return with(new DefaultStrategy());
    }

    static Logbook withoutBodies() {
        return with(new WithoutBodyStrategy());
    }

    private static Logbook with(Strategy strategy) {
        AtomicLong written = new AtomicLong();
        return Logbook.builder()
                .strategy(strategy)
                .sink(new DefaultSink(new DefaultHttpLogFormatter(), new HttpLogWriter() {
                    @Override
                    public void write(Precorrelation precorrelation, String request) {
                        written.addAndGet(request.length());
                    }

                    @Override
                    public void write(Correlation correlation, String response) {
                        written.addAndGet(response.length());
                    }
                }))
                .build();
    }
}
