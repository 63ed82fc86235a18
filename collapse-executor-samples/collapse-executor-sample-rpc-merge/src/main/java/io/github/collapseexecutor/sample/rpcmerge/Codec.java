package io.github.collapseexecutor.sample.rpcmerge;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Turns values into bytes and back.
 *
 * @param <T> the values
 */
public interface Codec<T> {

    /** Text in UTF-8. */
    Codec<String> UTF_8 = new Codec<>() {
        @Override
        public byte[] encode(String value) {
            return value.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(byte[] bytes) throws CharacterCodingException {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        }
    };

    /** A number in eight bytes, the highest first. */
    Codec<Long> INT_64 = new Codec<>() {
        @Override
        public byte[] encode(Long value) {
            return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
        }

        @Override
        public Long decode(byte[] bytes) {
            if (bytes.length != Long.BYTES) {
                throw new IllegalArgumentException("a number has 8 bytes, but these are " + bytes.length);
            }
            return ByteBuffer.wrap(bytes).getLong();
        }
    };

    /**
     * Turns a value into bytes.
     *
     * @param value a value
     * @return its bytes, which are not changed afterwards
     * @throws Exception if the value has no bytes
     */
    byte[] encode(T value) throws Exception;

    /**
     * Turns bytes into a value. It is called on the thread of a connection and must not block.
     *
     * @param bytes what was received
     * @return the value that they are
     * @throws Exception if they are none
     */
    T decode(byte[] bytes) throws Exception;
}
