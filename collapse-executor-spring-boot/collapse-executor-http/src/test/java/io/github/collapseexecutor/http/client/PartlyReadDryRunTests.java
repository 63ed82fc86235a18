package io.github.collapseexecutor.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestTemplate;

/** Readers that stop when they have what they need, as parsers of JSON do: the response is closed, its body's end is not read. */
class PartlyReadDryRunTests {

    private final DryRun dryRun = new DryRun("partly read");

    @ParameterizedTest
    @CsvSource({"'{1}', '{1}', 0", "'{1}', '{2}', 1"})
    void bodiesAreComparedAsFarAsTheyWereRead(String first, String second, int different) throws Exception {
        RestTemplate client = new RestTemplate(new JdkClientHttpRequestFactory());
        client.getInterceptors()
                .add(new CollapseHttpRequestInterceptor(
                        HttpCollapseOptions.builder()
                                .rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**")
                                        .inDryRun(dryRun)))
                                .build(),
                        CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build()));
        try (ScriptedOrigin origin = ScriptedOrigin.start();
                Callers callers = new Callers()) {
            origin.answer(request -> OriginReply.ok(request.query().endsWith("1") ? first : second)
                    .chunked());
            Hold hold = origin.hold();
            List<Caller<String>> all = new ArrayList<>();
            for (int i = 1; i <= 2; i++) {
                String uri = origin.uri("/a?" + i).toString();
                all.add(callers.start(() -> Objects.requireNonNull(client.execute(
                        uri,
                        HttpMethod.GET,
                        null,
                        response -> new String(response.getBody().readNBytes(3), StandardCharsets.UTF_8)))));
                hold.await(1);
            }
            hold.release();
            assertThat(all.get(0).get()).isEqualTo(first);
            assertThat(all.get(1).get()).isEqualTo(second);
        }
        assertThat(dryRun.report().compared()).isEqualTo(1);
        assertThat(dryRun.report().different()).isEqualTo(different);
    }
}
