package io.github.collapseexecutor.sample.rpcmerge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options keep what they were given, and say what is wrong with what they do not take. */
class RpcOptionsTests {

    @Test
    void everySettingIsKept() {
        RpcListener listener = (peer, description) -> {};
        RpcOptions options = RpcOptions.builder()
                .maxFrameBytes(100)
                .maxFrameMessages(2)
                .maxPending(3)
                .maxPerType(8)
                .maxUnwritten(4)
                .threads(5)
                .callTimeout(Duration.ofSeconds(6))
                .handlerTimeout(Duration.ofSeconds(9))
                .connectTimeout(Duration.ofSeconds(7))
                .listener(listener)
                .build();
        assertThat(options.maxFrameBytes()).isEqualTo(100);
        assertThat(options.maxFrameMessages()).isEqualTo(2);
        assertThat(options.maxPending()).isEqualTo(3);
        assertThat(options.maxPerType()).isEqualTo(8);
        assertThat(options.maxUnwritten()).isEqualTo(4);
        assertThat(options.threads()).isEqualTo(5);
        assertThat(options.callTimeout()).isEqualTo(Duration.ofSeconds(6));
        assertThat(options.handlerTimeout()).isEqualTo(Duration.ofSeconds(9));
        assertThat(options.connectTimeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(options.listener()).isSameAs(listener);
    }

    @Test
    void countsHaveAMinimum() {
        RpcOptions.Builder builder = RpcOptions.builder();
        assertThatThrownBy(() -> builder.maxFrameBytes(63)).hasMessage("maxFrameBytes is 63: it must be at least 64");
        assertThatThrownBy(() -> builder.maxFrameMessages(0)).hasMessageStartingWith("maxFrameMessages is 0");
        assertThatThrownBy(() -> builder.maxPending(-1)).hasMessageStartingWith("maxPending is -1");
        assertThatThrownBy(() -> builder.maxPerType(0)).hasMessageStartingWith("maxPerType is 0");
        assertThatThrownBy(() -> builder.maxUnwritten(0)).hasMessageStartingWith("maxUnwritten is 0");
        assertThatThrownBy(() -> builder.threads(0)).hasMessageStartingWith("threads is 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S"})
    void timesArePositive(Duration duration) {
        RpcOptions.Builder builder = RpcOptions.builder();
        assertThatThrownBy(() -> builder.callTimeout(duration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("callTimeout is " + duration + ": it must be positive");
        assertThatThrownBy(() -> builder.handlerTimeout(duration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("handlerTimeout is " + duration + ": it must be positive");
        assertThatThrownBy(() -> builder.connectTimeout(duration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("connectTimeout is " + duration);
    }

    @Test
    void aConnectionThatMayTakeAMonthToOpenIsRefused() {
        assertThatThrownBy(() -> RpcOptions.builder().connectTimeout(Duration.ofDays(30)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("connectTimeout is PT720H: it must be from a millisecond to 24 days");
    }
}
