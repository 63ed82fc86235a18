package io.github.collapseexecutor.http.message;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Method and address without the query; user information counts, because it names a user. Public for other packages of the library only. */
public record RequestTarget(
        String method,
        @Nullable String scheme,
        @Nullable String userInfo,
        @Nullable String host,
        int port,
        @Nullable String path) {

    public static RequestTarget of(String method, URI uri) {
        String host = uri.getHost();
        if (host == null) {
            // a registry-based authority, such as a host with an underscore, is kept as a whole
            return new RequestTarget(method, uri.getScheme(), null, uri.getRawAuthority(), -1, uri.getRawPath());
        }
        int port = uri.getPort() >= 0 ? uri.getPort() : defaultPort(uri.getScheme());
        return new RequestTarget(method, uri.getScheme(), uri.getRawUserInfo(), host, port, uri.getRawPath());
    }

    /** Returns an address exactly as it is written; null if a {@link URI} cannot express it. */
    public static @Nullable URI uriOf(String address) {
        try {
            return new URI(address);
        } catch (URISyntaxException e) {
            return null;
        }
    }

    /** Whether a {@code Host} header says no more than the address. */
    public boolean isNamedBy(List<@Nullable String> hostHeader) {
        String named = hostHeader.size() == 1 ? hostHeader.get(0) : null;
        if (named == null || host == null) {
            return false;
        }
        return named.equals(host + ":" + port) || (named.equals(host) && port == defaultPort(scheme));
    }

    public static int defaultPort(@Nullable String scheme) {
        return switch (scheme == null ? "" : scheme.toLowerCase(Locale.ROOT)) {
            case "http" -> 80;
            case "https" -> 443;
            default -> -1;
        };
    }
}
