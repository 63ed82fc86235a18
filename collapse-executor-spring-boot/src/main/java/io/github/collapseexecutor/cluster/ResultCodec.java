package io.github.collapseexecutor.cluster;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Turns results into bytes for other instances, and back.
 *
 * <pre>{@code
 * ResultCodec<User> codec = ResultCodec.of(mapper::writeValueAsBytes, bytes -> mapper.readValue(bytes, User.class));
 * }</pre>
 *
 * <p>The bytes stand in Redis for some seconds as they are: a codec that encrypts hides them from other readers of Redis.
 * Encoding is called once for each call that is made for the cluster, decoding once for each batch that is answered by
 * another instance. Whatever either throws fails no caller: the result is not shared, or the instance makes the call itself.
 * Instances are thread-safe.
 *
 * <p>When the format changes, change the key too, for example by a version number in it. Otherwise instances of both versions
 * cannot read one another's results, and share nothing.
 *
 * @param <R> the result; null is shared without asking the codec
 */
public interface ResultCodec<R extends @Nullable Object> {

    /**
     * Encodes a result.
     *
     * @param result what the call returned, not null
     * @return its bytes; more than {@link ClusterOptions#maxResultSize()} are not shared
     * @throws Exception if the result cannot be shared
     */
    byte[] encode(R result) throws Exception;

    /**
     * Decodes a result.
     *
     * @param bytes what {@link #encode} returned on some instance
     * @return the result
     * @throws Exception if it cannot be read
     */
    R decode(byte[] bytes) throws Exception;

    /**
     * Encodes a failure that other instances are to get as well, for example "there is no such user". Without it, the failure
     * stays on the instance that made the call, and the others make the call themselves.
     *
     * @param failure what the call failed with
     * @return its bytes, or null, the default, if the failure is not shared
     * @throws Exception if it cannot be shared
     */
    default byte @Nullable [] encodeFailure(Exception failure) throws Exception {
        return null;
    }

    /**
     * Decodes a failure.
     *
     * @param bytes what {@link #encodeFailure} returned on some instance
     * @return what the callers get
     * @throws Exception if it cannot be read
     */
    default Exception decodeFailure(byte[] bytes) throws Exception {
        throw new UnsupportedOperationException(
                "This codec encodes failures but does not decode them: override decodeFailure as well");
    }

    /**
     * Returns a codec of two functions, which shares no failures.
     *
     * @param encoder as {@link #encode}
     * @param decoder as {@link #decode}
     * @param <R> the result
     * @return the codec
     */
    static <R> ResultCodec<R> of(Function<? super R, byte[]> encoder, Function<byte[], ? extends R> decoder) {
        requireNonNull(encoder, "encoder");
        requireNonNull(decoder, "decoder");
        return new ResultCodec<>() {
            @Override
            public byte[] encode(R result) throws Exception {
                return encoder.apply(result);
            }

            @Override
            public R decode(byte[] bytes) throws Exception {
                return decoder.apply(bytes);
            }
        };
    }

    /**
     * Returns a codec of texts, numbers, truth values, UUIDs, dates and times, byte arrays, and lists of them. Results of another type
     * are not shared. Other instances get lists that cannot be changed.
     *
     * @return the codec, which shares no failures
     */
    static ResultCodec<Object> ofPlainValues() {
        return PlainValues.CODEC;
    }

    /**
     * Tells whether {@link #ofPlainValues()} takes all values of a type that is no list.
     *
     * @param type a class
     * @return whether it is one of texts, numbers, truth values, UUIDs, dates, times or byte arrays
     */
    static boolean isPlain(Class<?> type) {
        return PlainValues.isPlain(type);
    }

    /**
     * A function that may throw.
     *
     * @param <T> what it is given
     * @param <R> what it returns
     */
    @FunctionalInterface
    interface Function<T, R> {

        /**
         * Applies the function.
         *
         * @param value what it is given
         * @return the result
         * @throws Exception if there is none
         */
        R apply(T value) throws Exception;
    }
}
