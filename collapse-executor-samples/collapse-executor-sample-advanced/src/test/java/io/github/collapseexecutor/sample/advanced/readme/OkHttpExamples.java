package io.github.collapseexecutor.sample.advanced.readme;

import io.github.collapseexecutor.http.CollapseGroup;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.okhttp.CollapseOkHttpInterceptor;
import java.util.List;
import okhttp3.OkHttpClient;

/** What the documentation shows for OkHttp. */
final class OkHttpExamples {

    private OkHttpExamples() {}

    static OkHttpClient client() {
        // readme:begin okhttp
        OkHttpClient client = new OkHttpClient.Builder()
                .addInterceptor(new CollapseOkHttpInterceptor(HttpCollapseOptions.builder()
                        .groups(List.of(CollapseGroup.of(CollapsePolicy.strict(), "/user/*")))
                        .build()))
                .build();
        // readme:end
        return client;
    }
}
