package io.github.collapseexecutor.sample.advanced.readme;

import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.jdk.CollapseHttpClient;
import java.net.http.HttpClient;

/** What the documentation shows for the client of the JDK. */
final class JdkClientExamples {

    private JdkClientExamples() {}

    static HttpClient client() {
        // readme:begin jdk-client
        HttpClient client = new CollapseHttpClient(HttpClient.newHttpClient(), HttpCollapseOptions.forPaths("/user/*"));
        // readme:end
        return client;
    }
}
