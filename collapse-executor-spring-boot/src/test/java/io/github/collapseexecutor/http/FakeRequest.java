package io.github.collapseexecutor.http;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** A request that is not sent. */
final class FakeRequest implements HttpRequestView {

    private final String method;
    private final URI uri;
    private final Map<String, List<String>> headers = new LinkedHashMap<>();
    private boolean hasBody;
    private boolean identifiesUser;
    private int looks;

    private FakeRequest(String method, String uri) {
        this.method = method;
        this.uri = URI.create(uri);
    }

    static FakeRequest get(String uri) {
        return new FakeRequest("GET", uri);
    }

    static FakeRequest of(String method, String uri) {
        return new FakeRequest(method, uri);
    }

    FakeRequest with(String name, String value) {
        headers.computeIfAbsent(name, absent -> new ArrayList<>()).add(value);
        return this;
    }

    FakeRequest withBody() {
        hasBody = true;
        return this;
    }

    FakeRequest ofUser() {
        identifiesUser = true;
        return this;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public URI uri() {
        return uri;
    }

    /** How often the headers were looked at. */
    int looks() {
        return looks;
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        looks++;
        headers.forEach(action);
    }

    @Override
    public boolean hasBody() {
        return hasBody;
    }

    @Override
    public boolean identifiesUser() {
        return identifiesUser;
    }
}
