package io.github.collapseexecutor.cluster;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Turns results into bytes for other instances, and back.
 *
 * <pre>{@code
 * ResultCodec<User> codec = ResultCodec.of(mapper::writeValueAsBytes, bytes -> mapper.readValue(bytes, User.class));
 * }</pre>
 *
 * <p>Encoding is called once for each call that is made for the cluster, decoding once for each batch that is answered by
 * another instance. Whatever either throws fails no caller: the result is not shared, or the instance makes the call itself.
 * Instances are thread-safe.
 *
 * <p>When the form of the bytes or the type of the results changes, change {@link #format} or {@link ClusterOptions#version()} too. Then instances
 * of both versions run side by side, and share nothing with one another.
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
     * Says what the bytes are. Only instances share results whose codecs say the same: it is part of the name in Redis.
     *
     * @return a text that is the same in all processes; by default the name of the class, empty if it has none that is
     */
    default String format() {
        Class<?> type = getClass();
        return type.isHidden() || type.isAnonymousClass() || Proxy.isProxyClass(type) ? "" : type.getName();
    }

    /**
     * Returns this codec, with another format.
     *
     * <pre>{@code
     * ResultCodec<User> codec = ResultCodec.of(mapper::writeValueAsBytes, bytes -> mapper.readValue(bytes, User.class)).withFormat("user 2");
     * }</pre>
     *
     * @param format as {@link #format}
     * @return a codec
     */
    default ResultCodec<R> withFormat(String format) {
        return new FormattedCodec<>(this, requireNonNull(format, "format"));
    }

    /**
     * Returns a codec of two functions, which shares no failures. Its format is empty.
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
     * <p>It does not know which of these types its callers expect. Where it is the codec of a {@linkplain ClusterCalls#wrapper whole executor}, the
     * types that the executor's own calls return are part of the name in Redis, and the first call is not shared.
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
