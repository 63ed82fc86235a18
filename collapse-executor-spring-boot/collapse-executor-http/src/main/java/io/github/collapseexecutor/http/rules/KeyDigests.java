package io.github.collapseexecutor.http.rules;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * Stand-ins for request keys that outlive their requests: they tell keys apart as the keys themselves do, and keep nothing of
 * what is in them, such as credentials. SHA-256 behind a random salt, so that two instances have different ones.
 * Public for other packages of the library only.
 */
public final class KeyDigests {

    private static final int SALT_BYTES = 32;

    private static final int ABSENT = -1;

    // immutable
    private final byte[] salt = new byte[SALT_BYTES];

    KeyDigests() {
        new SecureRandom().nextBytes(salt);
    }

    /** Returns equal buffers for equal keys, and different ones for others. */
    ByteBuffer of(RequestKey key) {
        MessageDigest digest = sha256();
        digest.update(salt);
        key.forEachPart(part -> digest.update(encoded(part)));
        return ByteBuffer.wrap(digest.digest()).asReadOnlyBuffer();
    }

    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /** The length comes first, so that no two sequences of parts look alike; the characters as they are, paired or not. */
    private static ByteBuffer encoded(@Nullable String part) {
        if (part == null) {
            return ByteBuffer.allocate(Integer.BYTES).putInt(0, ABSENT);
        }
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + Character.BYTES * part.length());
        bytes.putInt(part.length()).asCharBuffer().put(part);
        return bytes.rewind();
    }
}
