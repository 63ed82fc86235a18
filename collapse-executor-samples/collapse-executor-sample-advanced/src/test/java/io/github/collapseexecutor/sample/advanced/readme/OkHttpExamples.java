package io.github.collapseexecutor.sample.advanced.readme;

import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.okhttp.CollapseOkHttpInterceptor;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Response;

/** What the documentation shows for OkHttp. */
final class OkHttpExamples {

    private OkHttpExamples() {}

    static OkHttpClient client() {
        // readme:begin okhttp
        OkHttpClient client = new OkHttpClient.Builder()
                .addInterceptor(new CollapseOkHttpInterceptor(HttpCollapseOptions.forPaths("/user/*")))
                .build();
        // readme:end
        return client;
    }

    /** A client with an interceptor behind the collapsing one that changes no request. */
    static OkHttpClient clientThatIsTimed(HttpCollapseOptions http) {
        // readme:begin okhttp-harmless
        CollapseOkHttpInterceptor collapsing = new CollapseOkHttpInterceptor(http)
                .withHarmless(interceptor -> interceptor instanceof Timing)
                .withHarmless(interceptor -> interceptor.getClass().getName().startsWith("io.opentelemetry."));
        // readme:end
        return new OkHttpClient.Builder()
                .addInterceptor(collapsing)
                .addNetworkInterceptor(new Timing())
                .build();
    }

    /** Looks at the time that a call takes, and at nothing else. */
    private static final class Timing implements Interceptor {

        // mutable, thread-safe
        private final AtomicLong nanoseconds = new AtomicLong();

        @Override
        public Response intercept(Chain chain) throws IOException {
            long begin = System.nanoTime();
            try {
                return chain.proceed(chain.request());
            } finally {
                nanoseconds.addAndGet(System.nanoTime() - begin);
            }
        }
    }
}
