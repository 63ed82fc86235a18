package io.github.collapseexecutor.http.okhttp;

import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.internal.connection.RealCall;
import org.jspecify.annotations.Nullable;

/**
 * Finds the client that a call belongs to. Only an internal class of OkHttp tells it, and a later version may move that class
 * or hide it, as the module system does already.
 */
final class CallOwner {

    private CallOwner() {}

    /** The client of a call, or null if OkHttp does not tell. */
    static @Nullable OkHttpClient of(Call call) {
        try {
            return Internal.clientOf(call);
        } catch (LinkageError e) {
            return null;
        }
    }

    /** A class of its own, because the verifier may load {@link RealCall} together with it. */
    private static final class Internal {

        private Internal() {}

        static @Nullable OkHttpClient clientOf(Call call) {
            return call instanceof RealCall realCall ? realCall.getClient() : null;
        }
    }
}
