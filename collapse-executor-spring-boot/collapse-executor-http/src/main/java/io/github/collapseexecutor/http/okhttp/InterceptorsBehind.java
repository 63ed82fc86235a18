package io.github.collapseexecutor.http.okhttp;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/**
 * Finds the interceptors between {@link CollapseOkHttpInterceptor} and the network that can still change a request (H36). They
 * may do so for some calls only, for example by a thread-local, so that the response to one call does not show it.
 */
record InterceptorsBehind(CollapseOkHttpInterceptor self, Predicate<? super Interceptor> harmless) {

    /** They change neither who asks nor where the call goes. */
    private static final Set<String> KNOWN_HARMLESS = Set.of(
            "okhttp3.logging.HttpLoggingInterceptor",
            "okhttp3.CompressionInterceptor",
            "okhttp3.brotli.BrotliInterceptor");

    private static final String LAMBDA = "$$Lambda";

    private static final String NAME = CollapseOkHttpInterceptor.class.getSimpleName();

    /**
     * Returns why calls of a client must not share, with the remedy, or null if nothing is in the way.
     *
     * @param client null if OkHttp does not tell; then nothing can be seen
     */
    @Nullable String obstacle(Interceptor.Chain chain, @Nullable OkHttpClient client) {
        if (chain.connection() != null) {
            return NAME + " is a network interceptor; add it by OkHttpClient.Builder.addInterceptor";
        }
        if (client == null) {
            return null;
        }
        List<Interceptor> interceptors = client.interceptors();
        int position = interceptors.indexOf(self);
        if (position != interceptors.lastIndexOf(self)) {
            return NAME + " is in the same client twice; add it once";
        }
        List<String> behind = position < 0
                ? besideTheCallerOfSelf(interceptors)
                : unknownAmong(interceptors.subList(position + 1, interceptors.size()));
        if (!behind.isEmpty()) {
            return "behind " + NAME + ", " + behind + " can still change a request; add " + NAME
                    + " as the last application interceptor, or declare the others by withHarmless";
        }
        List<String> network = unknownAmong(client.networkInterceptors());
        if (!network.isEmpty()) {
            return "the network interceptors " + network + " can still change a request; add them in front of " + NAME
                    + " by OkHttpClient.Builder.addInterceptor, or declare them by withHarmless";
        }
        return null;
    }

    /** An interceptor that calls this one hides its position. With no other one there, nothing can be behind it. */
    private List<String> besideTheCallerOfSelf(List<Interceptor> interceptors) {
        List<String> unknown = unknownAmong(interceptors);
        return unknown.size() > 1 ? unknown : List.of();
    }

    private List<String> unknownAmong(List<Interceptor> interceptors) {
        List<String> unknown = new ArrayList<>();
        for (Interceptor interceptor : interceptors) {
            if (!isHarmless(interceptor)) {
                unknown.add(nameOf(interceptor));
            }
        }
        return unknown;
    }

    private boolean isHarmless(Interceptor interceptor) {
        return interceptor instanceof CollapseOkHttpInterceptor
                || KNOWN_HARMLESS.contains(interceptor.getClass().getName())
                || harmless.test(interceptor);
    }

    /** The class; of a lambda, the class that it is in, without the numbers that differ in each process. */
    private static String nameOf(Interceptor interceptor) {
        String name = interceptor.getClass().getName();
        int lambda = name.indexOf(LAMBDA);
        return lambda < 0 ? name : name.substring(0, lambda + LAMBDA.length());
    }
}
