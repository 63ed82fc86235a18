package io.github.collapseexecutor.cluster;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Names keys so that the names tell nothing, and signs what stands under them, so that only what an instance with the same secret
 * stored for that very key and ticket is believed.
 */
final class KeySeal {

    private static final String ALGORITHM = "HmacSHA256";
    private static final int TAG_SIZE = 32;

    /** By how much a sealed content is longer than its bytes. */
    static final int OVERHEAD = 1 + TAG_SIZE;

    /** Part of each name: releases with another layout of the hash use another number. */
    private static final String LAYOUT = ":1:";

    /** What was stored; the code stands in Redis. */
    enum Kind {
        NULL(0),
        RESULT(1),
        FAILURE(2),
        /** A bulk call had no value for the key. */
        MISSING(3);

        // immutable
        private final byte code;

        Kind(int code) {
            this.code = (byte) code;
        }
    }

    /** What is to be stored, or was stored and is believed. */
    static final class Content {

        // immutable
        final Kind kind;
        final byte[] bytes;

        Content(Kind kind, byte[] bytes) {
            this.kind = kind;
            this.bytes = bytes;
        }
    }

    // immutable
    private final String prefix;
    private final SecretKeySpec naming;
    private final SecretKeySpec signing;

    KeySeal(byte[] secret, String prefix) {
        this.prefix = prefix + LAYOUT;
        SecretKeySpec root = new SecretKeySpec(secret, ALGORITHM);
        naming = new SecretKeySpec(mac(root).doFinal(utf8("name")), ALGORITHM);
        signing = new SecretKeySpec(mac(root).doFinal(utf8("value")), ALGORITHM);
    }

    /** Returns the name of the hash and of the channel of a key; the braces make it a slot of its own. */
    byte[] nameOf(String key) {
        String hash = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(mac(naming).doFinal(chars(key)));
        return utf8(prefix + '{' + hash + '}');
    }

    /** Returns what is to be stored: the kind, the bytes, and a signature of them, the name and the ticket. */
    byte[] seal(byte[] name, long covers, Content content) {
        byte[] sealed = new byte[1 + content.bytes.length + TAG_SIZE];
        sealed[0] = content.kind.code;
        System.arraycopy(content.bytes, 0, sealed, 1, content.bytes.length);
        byte[] tag = tag(name, covers, sealed);
        System.arraycopy(tag, 0, sealed, sealed.length - TAG_SIZE, TAG_SIZE);
        return sealed;
    }

    /**
     * Opens what {@link #seal} returned.
     *
     * @throws UnreadableResultException if it is anything else
     */
    Content open(byte[] name, long covers, ByteBuffer stored) throws UnreadableResultException {
        byte[] sealed = bytes(stored);
        int end = sealed.length - TAG_SIZE;
        if (end < 1
                || !MessageDigest.isEqual(tag(name, covers, sealed), Arrays.copyOfRange(sealed, end, sealed.length))) {
            throw new UnreadableResultException(
                    "A stored result was not signed with this instance's secret: give all instances the same one");
        }
        for (Kind kind : Kind.values()) {
            if (kind.code == sealed[0]) {
                return new Content(kind, Arrays.copyOfRange(sealed, 1, end));
            }
        }
        throw new UnreadableResultException("A stored result is of kind " + sealed[0] + ", which is not known here");
    }

    private byte[] tag(byte[] name, long covers, byte[] sealed) {
        Mac mac = mac(signing);
        mac.update(ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                .putInt(name.length)
                .putLong(covers)
                .array());
        mac.update(name);
        mac.update(sealed, 0, sealed.length - TAG_SIZE);
        return mac.doFinal();
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    /** As they are: an encoding would make unpaired surrogates of different keys the same. */
    private static byte[] chars(String key) {
        ByteBuffer bytes = ByteBuffer.allocate(Character.BYTES * key.length());
        bytes.asCharBuffer().put(key);
        return bytes.array();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Mac mac(SecretKeySpec key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has " + ALGORITHM, e);
        }
    }
}
