package io.github.collapseexecutor.http.okhttp;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.call.BlockingHttpCollapseExecutor;
import io.github.collapseexecutor.http.message.RequestTarget;
import java.io.IOException;
import java.net.URI;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Lets concurrent calls of an {@code OkHttpClient} that ask for the same thing share one.
 *
 * <pre>{@code
 * HttpCollapseOptions http = HttpCollapseOptions.forPaths("/user/*");
 * OkHttpClient client = new OkHttpClient.Builder()
 *         .addInterceptor(new CollapseOkHttpInterceptor(http))
 *         .build();
 * }</pre>
 *
 * <p><b>Add it as the last application interceptor, one instance for each client.</b> Interceptors that add credentials or
 * rewrite the address belong in front of it. If an interceptor behind it, or a network interceptor, can still change a
 * request, no call of that client shares another's, and one warning names the interceptor; {@link #withHarmless} is for those
 * that change nothing that counts. <b>Below the client there must be no credentials that differ between callers of one
 * client</b>, such as a proxy or a certificate that is chosen by a thread-local: nothing shows them.
 *
 * <p>Redirects and retries, the client's cache and its transparent decompression are behind the interceptor and happen once
 * for all. The cookies of a {@code CookieJar} are part of the key. A response after an {@code Authenticator} has added
 * credentials is not shared. A response that came by a redirect is shared only if each of its redirects may be shared and the
 * client has no cookie jar.
 *
 * <p>{@code Call.cancel()} and a call's own timeouts end that call alone, and at once. If it was the call on the wire, one of
 * its followers makes the call again. If the call fails otherwise, all its callers may get the same exception object.
 *
 * <p>An instance is safe for use by any number of calls and threads. Calls of different clients never share, even if the
 * clients have the instance in common. A call is made by the thread that executes it: the caller's, or one of the
 * dispatcher's. A waiting follower occupies its thread, and counts towards {@code Dispatcher.maxRequestsPerHost}.
 */
public final class CollapseOkHttpInterceptor implements Interceptor {

    // immutable
    private final HttpCollapseOptions http;
    private final CollapseOptions core;
    private final Predicate<? super Interceptor> harmless;
    private final InterceptorsBehind behind;
    private final BlockingHttpCollapseExecutor executor;

    /**
     * Creates an interceptor with no call in flight and {@link CollapseOptions#defaults()}.
     *
     * @param http what is collapsed; without a rule, nothing
     */
    public CollapseOkHttpInterceptor(HttpCollapseOptions http) {
        this(http, CollapseOptions.defaults());
    }

    /**
     * Creates an interceptor with no call in flight.
     *
     * @param http what is collapsed; without a rule, nothing
     * @param core how calls are gathered
     */
    public CollapseOkHttpInterceptor(HttpCollapseOptions http, CollapseOptions core) {
        this(http, core, interceptor -> false);
    }

    private CollapseOkHttpInterceptor(
            HttpCollapseOptions http, CollapseOptions core, Predicate<? super Interceptor> harmless) {
        this.http = http;
        this.core = core;
        this.harmless = harmless;
        this.behind = new InterceptorsBehind(this, harmless);
        this.executor = new BlockingHttpCollapseExecutor(http, core);
    }

    /**
     * Returns an interceptor that allows for further interceptors behind it and network interceptors.
     *
     * <pre>{@code
     * new CollapseOkHttpInterceptor(http).withHarmless(interceptor -> interceptor instanceof TimingInterceptor)
     * }</pre>
     *
     * <p>An interceptor is harmless if it changes neither the address of a request nor a header by which callers differ, and
     * adds no such header. {@code HttpLoggingInterceptor}, {@code CompressionInterceptor} and {@code BrotliInterceptor} of
     * OkHttp are known to be harmless.
     *
     * @param further tells whether an interceptor is harmless; asked for each call, by any thread
     * @return an interceptor with the same options and no call in flight; what was declared before stays declared
     */
    public CollapseOkHttpInterceptor withHarmless(Predicate<? super Interceptor> further) {
        Objects.requireNonNull(further, "further");
        return new CollapseOkHttpInterceptor(
                http, core, interceptor -> harmless.test(interceptor) || further.test(interceptor));
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
        // HttpUrl.uri() would make two addresses equal that differ
        URI uri = RequestTarget.uriOf(request.url().toString());
        if (uri == null || request.cacheControl().onlyIfCached()) {
            // a miss is an answer of this client's cache, not of the origin
            return chain.proceed(request);
        }
        try {
            return executor.execute(new OkHttpExchange(chain, uri, http::isCredential, behind));
        } catch (ClientFailure e) {
            throw e.original();
        } catch (RejectedExecutionException e) {
            throw new IOException("Too many calls wait to be collapsed", e);
        } catch (CancellationException e) {
            throw new IOException("Canceled", e);
        } catch (RuntimeException e) {
            // the dispatcher's thread would die of it
            throw new IOException("A call could not be collapsed", e);
        }
    }
}
