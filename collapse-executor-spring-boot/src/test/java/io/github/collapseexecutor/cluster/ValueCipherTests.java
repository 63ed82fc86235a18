package io.github.collapseexecutor.cluster;

import static io.github.collapseexecutor.cluster.Instance.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What hides responses in Redis. */
class ValueCipherTests {

    private static final byte[] NAME = bytes("collapse:1:{name}");
    private static final byte[] PLAIN = bytes("a body of Ada");

    private final ValueCipher cipher = new ValueCipher(bytes("a secret of the tests"));

    @Test
    void anEncryptedValueComesBackAndShowsNothing() throws Exception {
        byte[] hidden = cipher.encrypt(NAME, 7, PLAIN);
        assertThat(new String(hidden, StandardCharsets.ISO_8859_1)).doesNotContain("Ada");
        assertThat(cipher.decrypt(NAME, 7, hidden)).isEqualTo(PLAIN);
        assertThat(cipher.decrypt(NAME, 7, cipher.encrypt(NAME, 7, new byte[0])))
                .isEmpty();
    }

    @Test
    void theSameValueIsHiddenInAnotherWayEachTime() {
        assertThat(cipher.encrypt(NAME, 7, PLAIN)).isNotEqualTo(cipher.encrypt(NAME, 7, PLAIN));
    }

    @Test
    void nothingElseIsRead() {
        byte[] hidden = cipher.encrypt(NAME, 7, PLAIN);
        byte[] changed = hidden.clone();
        changed[changed.length - 1] ^= 1;
        ValueCipher other = new ValueCipher(bytes("another secret of the tests"));
        assertThatExceptionOfType(UnreadableResultException.class).isThrownBy(() -> cipher.decrypt(NAME, 8, hidden));
        assertThatExceptionOfType(UnreadableResultException.class)
                .isThrownBy(() -> cipher.decrypt(bytes("collapse:1:{other}"), 7, hidden));
        assertThatExceptionOfType(UnreadableResultException.class).isThrownBy(() -> cipher.decrypt(NAME, 7, changed));
        assertThatExceptionOfType(UnreadableResultException.class)
                .isThrownBy(() -> cipher.decrypt(NAME, 7, new byte[3]));
        assertThatExceptionOfType(UnreadableResultException.class).isThrownBy(() -> other.decrypt(NAME, 7, hidden));
    }
}
