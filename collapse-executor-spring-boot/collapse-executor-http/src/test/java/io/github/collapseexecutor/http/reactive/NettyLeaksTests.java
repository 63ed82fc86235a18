package io.github.collapseexecutor.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NettyLeaksTests {

    @Test
    void aBufferThatIsNotReleasedIsReported() {
        NettyLeaks leaks = new NettyLeaks();
        leaks.begin();
        List<String> reports = new ArrayList<>();
        for (int i = 0; i < 20 && reports.isEmpty(); i++) {
            PooledByteBufAllocator.DEFAULT.directBuffer(16).writeByte(1);
            reports.addAll(leaks.end());
            leaks.begin();
        }
        leaks.end();
        assertThat(reports).isNotEmpty().allMatch(report -> report.contains("LEAK"));
    }
}
