package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.cluster.KeySeal.Content;
import io.github.collapseexecutor.cluster.KeySeal.Kind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Names in Redis, and the signatures of what stands under them. */
class KeySealTests {

    private static final byte[] NAME = {1, 2, 3};

    private final KeySeal seal = sealOf("a secret of the tests");

    private static KeySeal sealOf(String secret) {
        return new KeySeal(secret.getBytes(StandardCharsets.UTF_8), "collapse");
    }

    private static String text(byte[] name) {
        return new String(name, StandardCharsets.US_ASCII);
    }

    @Test
    void namesOfDifferentKeysDiffer() {
        List<String> keys =
                List.of("", "a", "b", "A", "a ", "a\0", "?", "\ud800", "\udc00", "\ufffd", "\ud83d\ude00", "ä");
        Set<String> names = new HashSet<>();
        keys.forEach(key -> names.add(text(seal.nameOf(key))));
        assertThat(names).hasSameSizeAs(keys).allMatch(name -> name.matches("collapse:1:\\{[A-Za-z0-9_-]{43}}"));
    }

    @Test
    void instancesWithTheSameSecretUseTheSameNames() {
        assertThat(sealOf("a secret of the tests").nameOf("key")).isEqualTo(seal.nameOf("key"));
        assertThat(sealOf("another secret of the tests").nameOf("key")).isNotEqualTo(seal.nameOf("key"));
    }

    @Test
    void aSealedValueIsOpened() throws Exception {
        for (Kind kind : Kind.values()) {
            Content opened =
                    seal.open(NAME, 7, ByteBuffer.wrap(seal.seal(NAME, 7, new Content(kind, new byte[] {4, 5}))));
            assertThat(opened.kind).isEqualTo(kind);
            assertThat(opened.bytes).containsExactly(4, 5);
        }
    }

    @Test
    void nothingElseIsOpened() {
        byte[] sealed = seal.seal(NAME, 7, new Content(Kind.RESULT, new byte[] {4, 5}));
        assertNotOpened(seal, NAME, 8, sealed); // of another ticket
        assertNotOpened(seal, new byte[] {1, 2, 4}, 7, sealed); // of another key
        assertNotOpened(sealOf("another secret of the tests"), NAME, 7, sealed);
        for (int i = 0; i < sealed.length; i++) {
            byte[] changed = sealed.clone();
            changed[i] ^= 1;
            assertNotOpened(seal, NAME, 7, changed);
            assertNotOpened(seal, NAME, 7, Arrays.copyOf(sealed, i));
        }
    }

    private static void assertNotOpened(KeySeal seal, byte[] name, long covers, byte[] sealed) {
        assertThatThrownBy(() -> seal.open(name, covers, ByteBuffer.wrap(sealed)))
                .isInstanceOf(UnreadableResultException.class)
                .hasMessageContaining("give all instances the same");
    }
}
