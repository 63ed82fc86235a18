package io.github.collapseexecutor.http.okhttp;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.BlockingHttpCollapseExecutor;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Lets concurrent calls of an {@code OkHttpClient} that ask for the same thing share one.
 *
 * <pre>{@code
 * HttpCollapseOptions http = HttpCollapseOptions.builder()
 *         .groups(List.of(CollapseGroup.of(CollapsePolicy.strict(), "/user/*")))
 *         .build();
 * OkHttpClient client = new OkHttpClient.Builder()
 *         .addInterceptor(new CollapseOkHttpInterceptor(http))
 *         .build();
 * }</pre>
 *
 * <p>It is an application interceptor, to be added behind those that add credentials or rewrite the address: whatever tells
 * users apart has to be on the request when it gets here. If something behind it, a network interceptor or an
 * {@code Authenticator} say, changes what counts, the response is not shared. Redirects and retries, the client's cache and
 * its transparent decompression are behind it and happen once for all; the cookies of a {@code CookieJar} are part of what
 * tells requests apart. A response that came by a redirect is shared only if each of its redirects was permanent.
 *
 * <p>{@code Call.cancel()} and a call's own time-outs end that call alone, and at once: nobody else fails for it. If it was
 * the one that was on the wire, another call is made for those who waited for it.
 *
 * <p>One instance may serve any number of clients, calls and threads. A call is made by the thread that executes it, be that
 * the caller's or one of the dispatcher's. A thread of the dispatcher is occupied while its call waits for another's
 * response; those waiting count towards {@code Dispatcher.maxRequestsPerHost}.
 */
public final class CollapseOkHttpInterceptor implements Interceptor {

    // immutable
    private final BlockingHttpCollapseExecutor executor;

    /**
     * Creates an interceptor with no call in flight, which gathers as {@link CollapseOptions#defaults()} say.
     *
     * @param http what is collapsed; without a group, nothing
     */
    public CollapseOkHttpInterceptor(HttpCollapseOptions http) {
        this(http, CollapseOptions.defaults());
    }

    /**
     * Creates an interceptor with no call in flight.
     *
     * @param http what is collapsed; without a group, nothing
     * @param core how calls are gathered
     */
    public CollapseOkHttpInterceptor(HttpCollapseOptions http, CollapseOptions core) {
        this.executor = new BlockingHttpCollapseExecutor(http, core);
    }

    /**
     * Makes the call, or answers it with the response to another.
     *
     * @param chain the call on its way
     * @return the response
     * @throws IOException if the call that was made failed, or this one was cancelled or timed out; if {@code maxPending}
     *     calls are waiting already, its cause is a {@link RejectedExecutionException}
     */
    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        URI uri = uriOf(request.url());
        if (uri == null || request.cacheControl().onlyIfCached()) {
            // a miss is an answer of this client's cache, not of the origin
            return chain.proceed(request);
        }
        try {
            return execute(chain, uri, Cancellation.watch(chain.call()));
        } catch (RejectedExecutionException e) {
            // of a RuntimeException the dispatcher's thread would die
            throw new IOException("Too many calls wait to be collapsed", e);
        } catch (CancellationException e) {
            if (!chain.call().isCanceled()) {
                throw e; // of an interceptor's own making
            }
            throw new IOException("Canceled", e);
        }
    }

    private Response execute(Chain chain, URI uri, Cancellation cancellation) throws IOException {
        while (true) {
            try {
                return executor.execute(new OkHttpExchange(chain, uri, cancellation));
            } catch (CanceledCallException e) {
                if (chain.call().isCanceled()) {
                    throw e.original();
                }
                // The call that was to answer this one, too, was cancelled by whoever made it.
            }
        }
    }

    /**
     * The address exactly as it is sent, or null where a {@link URI} cannot express that: {@link HttpUrl#uri()} would make
     * one of two that differ.
     */
    private static @Nullable URI uriOf(HttpUrl url) {
        try {
            return new URI(url.toString());
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
