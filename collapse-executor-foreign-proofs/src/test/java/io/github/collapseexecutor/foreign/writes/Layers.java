package io.github.collapseexecutor.foreign.writes;

import java.util.List;

/** What may stand between a writer and its driver. */
final class Layers {

    /** All that are known; a further one is one more class like these. */
    static final List<Layer> ALL = List.of(
            new HikariLayer(),
            new Dbcp2Layer(),
            new Dbcp1Layer(),
            new C3p0Layer(),
            new DruidLayer(),
            new TomcatLayer(),
            new ViburLayer(),
            new AgroalLayer(),
            new P6SpyLayer(),
            new DatasourceProxyLayer(),
            new OpenTelemetryLayer(),
            new Log4JdbcLayer(),
            new JooqLayer(),
            new SpringLayer(),
            new AtomikosLayer(),
            new NarayanaLayer(),
            new AwsLayer(),
            new ShardingSphereLayer());

    private Layers() {}
}
