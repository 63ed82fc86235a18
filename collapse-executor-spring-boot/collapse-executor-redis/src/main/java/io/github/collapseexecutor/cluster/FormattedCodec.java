package io.github.collapseexecutor.cluster;

import org.jspecify.annotations.Nullable;

/** A codec whose results have another name in Redis. */
record FormattedCodec<R extends @Nullable Object>(ResultCodec<R> codec, String format) implements ResultCodec<R> {

    @Override
    public byte[] encode(R result) throws Exception {
        return codec.encode(result);
    }

    @Override
    public R decode(byte[] bytes) throws Exception {
        return codec.decode(bytes);
    }

    @Override
    public byte @Nullable [] encodeFailure(Exception failure) throws Exception {
        return codec.encodeFailure(failure);
    }

    @Override
    public Exception decodeFailure(byte[] bytes) throws Exception {
        return codec.decodeFailure(bytes);
    }
}
