package io.github.collapseexecutor.report;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** How thoroughly everything is measured. */
enum Form {
    /** Within three minutes: whether everything works. Its figures are those of servers that are still warming up. */
    SHORT {
        @Override
        List<Part> parts() {
            return List.of(
                    Part.of(
                            "http",
                            40,
                            "sample-spring-boot",
                            "sample.springboot.load.LoadRun",
                            "-Dload.warm-ups=1",
                            "100",
                            "1",
                            "0.4",
                            "SERVLET",
                            "REST_TEMPLATE",
                            "WEB_CLIENT_20_MS",
                            "DISTINCT_REST_TEMPLATE"),
                    Part.of(
                            "open-loop",
                            30,
                            "sample-spring-boot",
                            "sample.springboot.load.OpenLoadRun",
                            "1",
                            "500",
                            "2000"),
                    Part.of("storm", 20, "sample-spring-boot", "sample.springboot.load.StormRun", "500", "1"),
                    Part.of(
                            "group-commit",
                            25,
                            "sample-group-commit",
                            "sample.groupcommit.GroupCommitSampleApplication",
                            "--load",
                            "--server.port=0",
                            "--load.users=1,50",
                            "--load.duration=300ms",
                            "--spring.datasource.url=jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000"),
                    Part.of("sequences", 10, "sample-sequence", "sample.sequence.SequenceSample"),
                    Part.of(
                            "cluster",
                            20,
                            "sample-cluster",
                            "sample.cluster.ClusterSample",
                            "--callers=20",
                            "--seconds=1"));
        }
    },

    /** Within 35 minutes: what the figures of a machine are. */
    FULL {
        @Override
        List<Part> parts() {
            return List.of(
                    Part.of(
                            "http",
                            960,
                            "sample-spring-boot",
                            "sample.springboot.load.LoadRun",
                            "-Dload.warm-ups=5",
                            "400",
                            "3",
                            "1"),
                    Part.of(
                            "open-loop",
                            140,
                            "sample-spring-boot",
                            "sample.springboot.load.OpenLoadRun",
                            "4",
                            "500",
                            "1000",
                            "2000",
                            "3000",
                            "4000",
                            "5000"),
                    Part.of("storm", 60, "sample-spring-boot", "sample.springboot.load.StormRun", "10000", "3"),
                    Part.of(
                            "group-commit",
                            200,
                            "sample-group-commit",
                            "sample.groupcommit.GroupCommitSampleApplication",
                            "--load",
                            "--server.port=0",
                            "--spring.profiles.active=mariadb",
                            "--load.users=1,10,50,200,400",
                            "--load.duration=2s"),
                    Part.of("sequences", 10, "sample-sequence", "sample.sequence.SequenceSample"),
                    Part.of(
                            "cluster",
                            75,
                            "sample-cluster",
                            "sample.cluster.ClusterSample",
                            "--callers=200",
                            "--seconds=10"),
                    Part.of(
                            "rows",
                            330,
                            "sample-group-commit",
                            "sample.groupcommit.comparison.WriteComparison",
                            "-Xmx2g",
                            "--databases=mariadb,postgresql",
                            "--works=inserts",
                            "--callers=50,200,400",
                            "--milliseconds=1200"),
                    Part.of("engine", 350, "benchmark", "benchmark.Goals", "3", "2"));
        }
    };

    /** What is measured, in that order. */
    abstract List<Part> parts();

    /**
     * Returns the form of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Form of(String name) {
        return Arrays.stream(values())
                .filter(form -> form.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--form is \"" + name + "\": it must be one of "
                        + Arrays.stream(values()).map(Form::toString).collect(Collectors.joining(", "))));
    }

    /**
     * Returns some of its parts.
     *
     * @param names with commas between them, or {@code all}
     * @throws IllegalArgumentException if a name is unknown
     */
    List<Part> parts(String names) {
        if (names.equals("all")) {
            return parts();
        }
        List<String> asked =
                Arrays.stream(names.split(",", -1)).map(String::strip).toList();
        for (String name : asked) {
            if (parts().stream().noneMatch(part -> part.name().equals(name))) {
                throw new IllegalArgumentException("--parts holds \"" + name + "\": the " + this + " form has "
                        + parts().stream().map(Part::name).collect(Collectors.joining(", ")));
            }
        }
        return parts().stream().filter(part -> asked.contains(part.name())).toList();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
