package io.github.collapseexecutor.spring.boot.cluster;

import static io.github.collapseexecutor.spring.boot.fixture.EndpointApplication.at;
import static io.github.collapseexecutor.spring.boot.fixture.EndpointApplication.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.spring.boot.fixture.EndpointApplication;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an engineer on call sees of the sharing with other instances, and switches by itself: by the endpoint over HTTP, and by the bean. */
class SharingSwitchTests extends ClusterConfigurationFixture {

    private static EndpointApplication sharing() {
        return new EndpointApplication(
                "--spring.data.redis.port=" + redis.port(),
                "--collapse.executor.cluster.secret=" + SECRET,
                "--collapse.executor.cluster.prefix=shop",
                "--collapse.executor.cluster.max-delay=10s",
                "--collapse.executor.executors.users.cluster=true",
                "--management.endpoint.collapse.access=unrestricted");
    }

    private static void call(EndpointApplication application) throws Exception {
        BlockingCallableGroupCollapseExecutor users =
                application.context.getBean("users", BlockingCallableGroupCollapseExecutor.class);
        assertThat(users.<String>execute("user 7", () -> "name 7")).isEqualTo("name 7");
    }

    private static Object led(EndpointApplication application) throws Exception {
        return at(json(application.ask("/cluster").body()), "batches", "led");
    }

    @Test
    void sharingIsSwitchedByItself() throws Exception {
        try (EndpointApplication application = sharing()) {
            call(application); // shows the type of results
            call(application);
            assertThat(led(application)).isEqualTo(1);
            HttpResponse<String> paused = application.change("/cluster", "pause");
            assertThat(paused.statusCode()).isEqualTo(200);
            assertThat(at(json(paused.body()), "paused")).isEqualTo(true);
            call(application);
            Map<?, ?> all = json(application.ask("").body());
            assertThat(at(all, "cluster", "paused")).isEqualTo(true);
            assertThat(at(all, "cluster", "available")).isEqualTo(false);
            assertThat(at(all, "cluster", "batches", "led")).isEqualTo(1);
            assertThat(at(all, "cluster", "batches", "unavailable")).isEqualTo(1);
            assertThat(at(all, "sections", "rest-template", "paused")).isEqualTo(false);
            assertThat(application.callsOfThree("/user/7")).isEqualTo(1);
            assertThat(application.control().isSharingPaused()).isTrue();
            assertThat(application.post("/cluster", "resume")).isEqualTo(200);
            call(application);
            assertThat(led(application)).isEqualTo(2);
            assertThat(application.post("/cluster", "forget")).isEqualTo(400);
            application.control().pauseSharing();
            call(application);
            application.control().resumeSharing();
            assertThat(led(application)).isEqualTo(2);
            assertThat(application.control().isSharingPaused()).isFalse();
        }
    }

    @Test
    void withoutSharingThereIsNothingToSwitch() throws Exception {
        try (EndpointApplication application =
                new EndpointApplication("--management.endpoint.collapse.access=unrestricted")) {
            assertThat(json(application.ask("").body()).keySet()).noneMatch("cluster"::equals);
            assertThat(application.ask("/cluster").statusCode()).isEqualTo(404);
            assertThat(application.post("/cluster", "pause")).isEqualTo(400);
            assertThatIllegalArgumentException()
                    .isThrownBy(application.control()::pauseSharing)
                    .withMessageContaining("collapse.executor.cluster.secret");
        }
    }
}
