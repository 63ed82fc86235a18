package io.github.collapseexecutor.cluster;

import static io.github.collapseexecutor.cluster.Instance.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.collapseexecutor.cluster.Envelope.Addressees;
import io.github.collapseexecutor.cluster.Envelope.Content;
import io.github.collapseexecutor.cluster.Envelope.Kind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Names in Redis, and what stands under them, for whom. */
class EnvelopeTests {

    private static final byte[] NAME = bytes("collapse:2:{name}");
    private static final String EARLY = Envelope.newId();
    private static final String LATE = Envelope.newId();
    private static final Addressees TO = new Addressees(Envelope.newId() + EARLY, Envelope.newId() + LATE);
    private static final Content CONTENT = new Content(Kind.RESULT, bytes("a body of Ada"));
    private static final String SECRET = "a secret of the tests";
    private static final String OTHER = "another secret of the tests";

    private final Envelope envelope = of("", SECRET);

    private static Envelope of(String version, String... secrets) {
        return new Envelope(Arrays.stream(secrets).map(Instance::bytes).toList(), "collapse", version);
    }

    private static String name(Envelope envelope, String kind, String form, String key) {
        return new String(envelope.nameOf(kind, form, key), StandardCharsets.US_ASCII);
    }

    @Test
    void namesOfDifferentCallsDiffer() {
        List<String> texts =
                List.of("", "a", "b", "A", "a ", "a\0", "?", "\ud800", "\udc00", "\ufffd", "\ud83d\ude00", "ä");
        Set<String> names = new HashSet<>();
        for (String text : texts) {
            names.add(name(envelope, "call", "", text));
            names.add(name(envelope, "call", "form " + text, ""));
            names.add(name(envelope, "kind " + text, "", ""));
            names.add(name(of("version " + text, SECRET), "call", "", ""));
        }
        assertThat(names).hasSize(4 * texts.size()).allMatch(name -> name.matches("collapse:2:\\{[A-Za-z0-9_-]{43}}"));
        assertThat(name(envelope, "a", "b", "c"))
                .isNotEqualTo(name(envelope, "ab", "", "c"))
                .isNotEqualTo(name(envelope, "a", "bc", ""));
    }

    @Test
    void instancesWithTheSameSecretsUseTheSameNames() {
        assertThat(of("", SECRET).nameOf("call", "", "key")).isEqualTo(envelope.nameOf("call", "", "key"));
        assertThat(of("", OTHER).nameOf("call", "", "key")).isNotEqualTo(envelope.nameOf("call", "", "key"));
        assertThat(of("", SECRET, OTHER).nameOf("call", "", "key"))
                .isEqualTo(of("", OTHER, SECRET).nameOf("call", "", "key"));
    }

    @Test
    void aSealedResultIsOpenedForItsWaitersAndShowsNothing() throws Exception {
        for (Kind kind : Kind.values()) {
            byte[] sealed = envelope.seal(NAME, TO, new Content(kind, CONTENT.bytes));
            assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("Ada", EARLY);
            Content opened = envelope.open(NAME, EARLY, false, ByteBuffer.wrap(sealed));
            assertThat(opened.kind).isEqualTo(kind);
            assertThat(opened.bytes).isEqualTo(CONTENT.bytes);
        }
        byte[] sealed = envelope.seal(NAME, TO, CONTENT);
        assertThat(envelope.open(NAME, LATE, true, ByteBuffer.wrap(sealed)).bytes)
                .isEqualTo(CONTENT.bytes);
        assertThat(envelope.seal(NAME, TO, CONTENT)).isNotEqualTo(sealed);
    }

    @Test
    void itIsNotOpenedForWaitersThatItWasNotMadeFor() {
        byte[] sealed = envelope.seal(NAME, TO, CONTENT);
        String shifted = (EARLY + EARLY).substring(1, 17);
        for (String id : List.of(Envelope.newId(), shifted)) {
            assertThatExceptionOfType(UnreadableResultException.class)
                    .isThrownBy(() -> envelope.open(NAME, id, true, ByteBuffer.wrap(sealed)))
                    .withMessageContaining("not made for the question");
        }
        assertThatExceptionOfType(UnreadableResultException.class)
                .isThrownBy(() -> envelope.open(NAME, LATE, false, ByteBuffer.wrap(sealed)));
    }

    @Test
    void nothingElseIsOpened() {
        byte[] sealed = envelope.seal(NAME, TO, CONTENT);
        assertNotOpened(of("", OTHER), NAME, sealed);
        assertNotOpened(envelope, bytes("collapse:2:{other}"), sealed);
        for (int i = 0; i < sealed.length; i++) {
            byte[] changed = sealed.clone();
            changed[i] ^= 1;
            assertNotOpened(envelope, NAME, changed);
            assertNotOpened(envelope, NAME, Arrays.copyOf(sealed, i));
        }
    }

    private static void assertNotOpened(Envelope envelope, byte[] name, byte[] sealed) {
        assertThatExceptionOfType(UnreadableResultException.class)
                .isThrownBy(() -> envelope.open(name, EARLY, true, ByteBuffer.wrap(sealed)))
                .withMessageContaining("give all instances the same");
    }

    @Test
    void theFirstSecretWritesAndAnyOfThemReads() throws Exception {
        byte[] sealed = of("", SECRET, OTHER).seal(NAME, TO, CONTENT);
        assertThat(envelope.open(NAME, EARLY, false, ByteBuffer.wrap(sealed)).bytes)
                .isEqualTo(CONTENT.bytes);
        assertThat(of("", OTHER, SECRET).open(NAME, EARLY, false, ByteBuffer.wrap(sealed)).bytes)
                .isEqualTo(CONTENT.bytes);
        assertNotOpened(of("", OTHER), NAME, sealed);
    }
}
