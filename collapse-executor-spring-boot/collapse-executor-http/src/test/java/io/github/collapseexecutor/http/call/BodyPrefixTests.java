package io.github.collapseexecutor.http.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyPrefixTests {

    private static final byte[] BODY = new byte[1_000];

    static {
        new Random(1).nextBytes(BODY);
    }

    /** As that of a transport which finds out, when it is closed, that the connection has ended too early. */
    private static final class FailingToClose extends ByteArrayInputStream {

        private int closed;

        FailingToClose() {
            super(BODY);
        }

        @Override
        public void close() throws IOException {
            closed++;
            throw new IOException("ended too early");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 998, 999, 1_000, 2_000})
    void aBodyIsReadToItsEndInWhateverPartsAndNotClosedByThat(int limit) throws IOException {
        for (int seed = 0; seed < 50; seed++) {
            FailingToClose body = new FailingToClose();
            assertThat(readInParts(BodyPrefix.read(body, limit).resumed(), new Random(seed)))
                    .as("seed %d", seed)
                    .isEqualTo(BODY);
            assertThat(body.closed).isZero();
        }
    }

    private static byte[] readInParts(InputStream in, Random random) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] part = new byte[300];
        while (true) {
            int before = all.size();
            assertThat(in.available()).isBetween(before < BODY.length ? 1 : 0, BODY.length - before);
            int count = random.nextInt(part.length) + 1;
            switch (random.nextInt(3)) {
                case 0 -> {
                    int next = in.read();
                    if (next < 0) {
                        return all.toByteArray();
                    }
                    all.write(next);
                }
                case 1 -> {
                    long skipped = in.skip(count);
                    all.write(BODY, before, (int) skipped);
                }
                default -> {
                    int read = in.read(part, 0, count);
                    if (read < 0) {
                        return all.toByteArray();
                    }
                    all.write(part, 0, read);
                }
            }
        }
    }

    @Test
    void toCloseItIsToCloseTheRest() throws IOException {
        FailingToClose body = new FailingToClose();
        InputStream resumed = BodyPrefix.read(body, 10).resumed();
        assertThatThrownBy(resumed::close).isInstanceOf(IOException.class).hasMessage("ended too early");
        assertThat(body.closed).isOne();
    }
}
