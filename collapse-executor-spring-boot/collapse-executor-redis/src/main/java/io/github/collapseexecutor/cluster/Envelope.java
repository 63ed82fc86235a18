package io.github.collapseexecutor.cluster;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * How everything that instances share stands in Redis: under a name that tells nothing, encrypted, and for those alone that had asked for it.
 * Inside stands for whom it is: the random ids of the waiters that the leader was told of. A waiter draws its id when it asks, so that nothing
 * which was made before can hold it. A key of its own encrypts for each name, so that no key encrypts many values.
 *
 * <p><b>Several secrets.</b> The first one encrypts, any of them decrypts. Names are those of the secret whose fingerprint is the smallest: instances
 * with the same secrets in another order have the same names.
 */
final class Envelope {

    /** The length of a waiter's id, which is a text of so many characters. */
    static final int ID_SIZE = 16;

    private static final String MAC = "HmacSHA256";
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_SIZE = 12;
    private static final int TAG_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Part of each name: releases with another layout of the hash use another number. */
    private static final String LAYOUT = ":2:";

    /** What was stored; its place in this order stands in the envelope. */
    enum Kind {
        NULL,
        RESULT,
        FAILURE,
        /** A bulk call had no value for the key. */
        MISSING
    }

    private static final List<Kind> KINDS = List.of(Kind.values());

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

    /**
     * The waiters that a result is for: ids one after another, each of {@link #ID_SIZE} characters.
     *
     * @param early those that had asked before the call began
     * @param late those that have joined it
     */
    record Addressees(String early, String late) {

        boolean include(String id, boolean mayJoin) {
            return holds(early, id) || (mayJoin && holds(late, id));
        }

        private static boolean holds(String ids, String id) {
            for (int at = 0; at < ids.length(); at += ID_SIZE) {
                if (ids.startsWith(id, at)) {
                    return true;
                }
            }
            return false;
        }
    }

    // immutable
    private final String prefix;
    private final byte[] version;
    private final SecretKeySpec naming;
    private final List<SecretKeySpec> roots = new ArrayList<>();

    /** Creates the form; the version is what the application says of its results. */
    Envelope(List<byte[]> secrets, String prefix, String version) {
        this.prefix = prefix + LAYOUT;
        this.version = chars(version);
        for (byte[] secret : secrets) {
            roots.add(derived(secret, "seal"));
        }
        naming = secrets.stream()
                .map(secret -> derived(secret, "name"))
                .min(Comparator.comparing(SecretKeySpec::getEncoded, Arrays::compare))
                .orElseThrow();
    }

    private static SecretKeySpec derived(byte[] secret, String use) {
        return new SecretKeySpec(mac(new SecretKeySpec(secret, MAC), utf8(use)), MAC);
    }

    /** Returns an id that nobody has had, nor can know before. */
    static String newId() {
        byte[] random = new byte[ID_SIZE * 3 / 4];
        RANDOM.nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    /**
     * Returns the name of the hash and of the channel of a call; the braces make it a slot of its own.
     *
     * @param kind what is called: parts of an application that know nothing of one another
     * @param form which results it has: instances that expect others have another name
     * @param key everything else that distinguishes it
     */
    byte[] nameOf(String kind, String form, String key) {
        byte[] hash = mac(naming, framed(version), framed(chars(kind)), framed(chars(form)), chars(key));
        return utf8(prefix + '{' + Base64.getUrlEncoder().withoutPadding().encodeToString(hash) + '}');
    }

    /** Returns what is to be stored. */
    byte[] seal(byte[] name, Addressees to, Content content) {
        byte[] nonce = new byte[NONCE_SIZE];
        RANDOM.nextBytes(nonce);
        byte[] head = ByteBuffer.allocate(
                        1 + 2 * Integer.BYTES + to.early().length() + to.late().length())
                .put((byte) KINDS.indexOf(content.kind))
                .putInt(to.early().length())
                .putInt(to.late().length())
                .put(utf8(to.early()))
                .put(utf8(to.late()))
                .array();
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, roots.get(0), name, nonce);
            byte[] sealed = new byte[NONCE_SIZE + cipher.getOutputSize(head.length + content.bytes.length)];
            System.arraycopy(nonce, 0, sealed, 0, NONCE_SIZE);
            int end = NONCE_SIZE + cipher.update(head, 0, head.length, sealed, NONCE_SIZE);
            cipher.doFinal(content.bytes, 0, content.bytes.length, sealed, end);
            return sealed;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK encrypts with " + CIPHER, e);
        }
    }

    /**
     * Opens what {@link #seal} returned on some instance, for a waiter.
     *
     * @param id the waiter's
     * @param mayJoin whether a call may answer it that was under way when it asked
     * @param sealed what Redis gave
     * @throws UnreadableResultException if it is anything else, or for others
     */
    Content open(byte[] name, String id, boolean mayJoin, ByteBuffer sealed) throws UnreadableResultException {
        byte[] opened = decrypted(name, sealed);
        ByteBuffer parts = ByteBuffer.wrap(opened);
        byte kind = parts.get();
        if (kind < 0 || kind >= KINDS.size()) {
            throw new UnreadableResultException("A stored result is of kind " + kind + ", which is not known here");
        }
        int early = parts.getInt();
        int late = parts.getInt();
        Addressees to = new Addressees(text(parts, early), text(parts, late));
        if (!to.include(id, mayJoin)) {
            throw new UnreadableResultException(
                    "A stored result was not made for the question that it was given to: somebody else writes to Redis",
                    true,
                    null);
        }
        return new Content(KINDS.get(kind), Arrays.copyOfRange(opened, parts.position(), opened.length));
    }

    private byte[] decrypted(byte[] name, ByteBuffer sealed) throws UnreadableResultException {
        ByteBuffer parts = sealed.duplicate();
        if (parts.remaining() >= NONCE_SIZE + TAG_BITS / Byte.SIZE) {
            byte[] nonce = new byte[NONCE_SIZE];
            byte[] hidden = new byte[parts.remaining() - NONCE_SIZE];
            parts.get(nonce).get(hidden);
            for (SecretKeySpec root : roots) {
                byte[] opened = decrypted(root, name, nonce, hidden);
                if (opened != null) {
                    return opened;
                }
            }
        }
        throw new UnreadableResultException(
                "A stored result was not encrypted with a secret of this instance: give all instances the same");
    }

    private static byte @Nullable [] decrypted(SecretKeySpec root, byte[] name, byte[] nonce, byte[] hidden) {
        try {
            return cipher(Cipher.DECRYPT_MODE, root, name, nonce).doFinal(hidden);
        } catch (AEADBadTagException ofAnother) {
            return null;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK decrypts with " + CIPHER, e);
        }
    }

    private static Cipher cipher(int mode, SecretKeySpec root, byte[] name, byte[] nonce)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, new SecretKeySpec(mac(root, name), "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        return cipher;
    }

    private static String text(ByteBuffer parts, int size) {
        byte[] bytes = new byte[size];
        parts.get(bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    /** With its length in front, so that no two lists of parts are the same bytes. */
    private static byte[] framed(byte[] part) {
        return ByteBuffer.allocate(Integer.BYTES + part.length)
                .putInt(part.length)
                .put(part)
                .array();
    }

    /** As they are: an encoding would make unpaired surrogates of different keys the same. */
    private static byte[] chars(String text) {
        ByteBuffer bytes = ByteBuffer.allocate(Character.BYTES * text.length());
        bytes.asCharBuffer().put(text);
        return bytes.array();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] mac(SecretKeySpec key, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(key);
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has " + MAC, e);
        }
    }
}
