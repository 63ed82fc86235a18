package io.github.collapseexecutor.cluster;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Hides stored values from readers of Redis: AES-GCM with a key of its own for each name and ticket, derived from the secret, so that no key
 * encrypts many values.
 */
final class ValueCipher {

    private static final String MAC = "HmacSHA256";
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_SIZE = 12;
    private static final int TAG_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    // immutable
    private final SecretKeySpec root;

    ValueCipher(byte[] secret) {
        root = new SecretKeySpec(
                mac(new SecretKeySpec(secret, MAC), "encrypt".getBytes(StandardCharsets.US_ASCII)), MAC);
    }

    byte[] encrypt(byte[] name, long covers, byte[] plain) {
        byte[] nonce = new byte[NONCE_SIZE];
        RANDOM.nextBytes(nonce);
        try {
            byte[] hidden = cipher(Cipher.ENCRYPT_MODE, name, covers, nonce).doFinal(plain);
            return ByteBuffer.allocate(nonce.length + hidden.length)
                    .put(nonce)
                    .put(hidden)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK encrypts with " + CIPHER, e);
        }
    }

    byte[] decrypt(byte[] name, long covers, byte[] stored) throws UnreadableResultException {
        if (stored.length < NONCE_SIZE) {
            throw new UnreadableResultException("A stored response is too short to be one");
        }
        byte[] nonce = new byte[NONCE_SIZE];
        ByteBuffer parts = ByteBuffer.wrap(stored).get(nonce);
        byte[] hidden = new byte[parts.remaining()];
        parts.get(hidden);
        try {
            return cipher(Cipher.DECRYPT_MODE, name, covers, nonce).doFinal(hidden);
        } catch (GeneralSecurityException e) {
            throw new UnreadableResultException("A stored response cannot be decrypted with this instance's secret", e);
        }
    }

    private Cipher cipher(int mode, byte[] name, long covers, byte[] nonce) throws GeneralSecurityException {
        byte[] ticket = ByteBuffer.allocate(Long.BYTES).putLong(covers).array();
        SecretKeySpec key = new SecretKeySpec(mac(root, ticket, name), "AES");
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        return cipher;
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
