package io.github.collapseexecutor.foreign.writes;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.instrumentation.jdbc.datasource.JdbcTelemetry;
import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** OpenTelemetry's instrumentation of JDBC. */
final class OpenTelemetryLayer implements Layer {

    @Override
    public DataSource around(Server server, DataSource target, Random random, Consumer<AutoCloseable> closing) {
        return JdbcTelemetry.builder(OpenTelemetry.noop())
                .setStatementInstrumenterEnabled(random.nextBoolean())
                .build()
                .wrap(target);
    }
}
