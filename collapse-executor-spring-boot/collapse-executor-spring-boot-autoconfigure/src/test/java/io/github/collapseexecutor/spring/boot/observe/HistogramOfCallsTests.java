package io.github.collapseexecutor.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Spring Boot's own property makes the buckets from which Prometheus computes percentiles; nothing else does. */
class HistogramOfCallsTests {

    private static final String BUCKETS = "collapse_calls_seconds_bucket";

    @Test
    void thePropertyGivesBucketsByNameRoleAndOutcome() {
        List<Map<String, String>> buckets = MeasuredApplication.scrape().series(BUCKETS);
        assertThat(buckets).allSatisfy(bucket -> assertThat(bucket).containsOnlyKeys("name", "role", "outcome", "le"));
        assertThat(buckets).extracting(bucket -> bucket.get("role")).contains("leader", "follower");
        assertThat(MeasuredApplication.scrape().names())
                .filteredOn(name -> name.endsWith("_bucket"))
                .as("a histogram of that meter only")
                .containsExactly(BUCKETS);
    }

    /** Micrometer chooses the bounds, and another version of it may choose others. */
    @Test
    void thePageSaysHowManySeriesEachRoleCosts() throws Exception {
        Map<Map<String, String>, Long> ofEach = MeasuredApplication.scrape().series(BUCKETS).stream()
                .collect(Collectors.groupingBy(
                        bucket -> Map.of("role", bucket.get("role"), "outcome", bucket.get("outcome")),
                        Collectors.counting()));
        assertThat(ofEach.values())
                .isNotEmpty()
                .allSatisfy(count -> assertThat(Files.readString(Path.of("../../docs/observability.md")))
                        .contains(count + " more series"));
    }
}
