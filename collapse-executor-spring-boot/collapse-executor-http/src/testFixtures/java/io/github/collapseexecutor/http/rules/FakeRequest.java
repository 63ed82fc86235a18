package io.github.collapseexecutor.http.rules;

import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A request that is not sent. */
public final class FakeRequest implements HttpRequestView {

    private final String method;
    private final URI uri;
    private final Map<String, List<String>> headers = new LinkedHashMap<>();
    private boolean hasBody;
    private boolean identifiesUser;
    private @Nullable Object client;
    private @Nullable String obstacle;
    private @Nullable String unseenRedirects;
    private @Nullable String receivedPath;
    private @Nullable String dispatchedPath;
    private List<@Nullable String> dispatchedTo = List.of();
    private @Nullable String clientAddress;
    private int looks;

    private FakeRequest(String method, String uri) {
        this.method = method;
        this.uri = URI.create(uri);
    }

    public static FakeRequest get(String uri) {
        return new FakeRequest("GET", uri);
    }

    public static FakeRequest of(String method, String uri) {
        return new FakeRequest(method, uri);
    }

    public FakeRequest with(String name, @Nullable String value) {
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

    FakeRequest sentBy(Object sender) {
        client = sender;
        return this;
    }

    FakeRequest obstructedBy(String reason) {
        obstacle = reason;
        return this;
    }

    FakeRequest followingUnseen(String setting) {
        unseenRedirects = setting;
        return this;
    }

    @Override
    public @Nullable String unseenRedirects() {
        return unseenRedirects;
    }

    /** As a server shows a request: where it was sent to, and where it goes. */
    FakeRequest dispatched(String received, String contextPath, String servletPath, @Nullable String pathInfo) {
        receivedPath = received;
        dispatchedPath = servletPath + (pathInfo == null ? "" : pathInfo);
        dispatchedTo = Arrays.asList(contextPath, servletPath, pathInfo);
        return this;
    }

    FakeRequest from(String address) {
        clientAddress = address;
        return this;
    }

    @Override
    public @Nullable Object client() {
        return client;
    }

    @Override
    public @Nullable String obstacle() {
        return obstacle;
    }

    @Override
    public @Nullable String receivedPath() {
        return receivedPath;
    }

    @Override
    public @Nullable String dispatchedPath() {
        return dispatchedPath;
    }

    @Override
    public List<@Nullable String> dispatchedTo() {
        return dispatchedTo;
    }

    @Override
    public @Nullable String clientAddress() {
        return clientAddress;
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
    public int looks() {
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
