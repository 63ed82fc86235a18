package io.github.collapseexecutor.http.rules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The header section of a response that no origin sent. */
public final class FakeResponse implements HttpResponseView {

    private final int status;
    private final Map<String, List<String>> headers = new LinkedHashMap<>();
    private boolean forLeaderOnly;
    private boolean forThisInstanceOnly;
    private boolean unreadable;
    private List<HttpResponseView> followed = List.of();

    private FakeResponse(int status) {
        this.status = status;
    }

    public static FakeResponse of(int status) {
        return new FakeResponse(status);
    }

    /** One whose head fails when it is read. */
    public static FakeResponse unreadable() {
        FakeResponse response = new FakeResponse(200);
        response.unreadable = true;
        return response;
    }

    public FakeResponse with(String name, String value) {
        headers.computeIfAbsent(name, absent -> new ArrayList<>()).add(value);
        return this;
    }

    public FakeResponse forLeaderOnly() {
        forLeaderOnly = true;
        return this;
    }

    public FakeResponse forThisInstanceOnly() {
        forThisInstanceOnly = true;
        return this;
    }

    /** One that comes after others, which the client has acted upon. */
    FakeResponse after(HttpResponseView... steps) {
        followed = List.of(steps);
        return this;
    }

    @Override
    public List<HttpResponseView> followed() {
        return followed;
    }

    public List<String> values(String name) {
        return headers.getOrDefault(name, List.of());
    }

    @Override
    public int status() {
        if (unreadable) {
            throw new IllegalStateException("no status");
        }
        return status;
    }

    @Override
    public String reason() {
        return "Reason";
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        if (unreadable) {
            throw new IllegalStateException("no headers");
        }
        headers.forEach(action);
    }

    @Override
    public boolean isForLeaderOnly() {
        return forLeaderOnly;
    }

    @Override
    public boolean isForThisInstanceOnly() {
        return forThisInstanceOnly;
    }
}
