package io.github.collapseexecutor.http;

import io.github.collapseexecutor.http.message.RequestTarget;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The host that a {@link UriPattern} names, and the port if it names one. Hosts are compared without regard to case, label by label; {@code
 * *} and {@code ?} stay within a label.
 */
record HostPattern(List<SegmentPattern> labels, int port) {

    /** A host and its port as an address has them. */
    private record Authority(String host, int port) {}

    private static final int ANY_PORT = -1;
    private static final int LARGEST_PORT = 65_535;

    /**
     * Compiles {@code host} or {@code host:port}.
     *
     * @throws IllegalArgumentException if it can match no host; the message says why
     */
    static HostPattern parse(String text) {
        Authority authority = split(text.toLowerCase(Locale.ROOT));
        return new HostPattern(labels(authority.host()), authority.port());
    }

    private static Authority split(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0 || text.endsWith("]")) {
            return new Authority(text, ANY_PORT);
        }
        String digits = text.substring(colon + 1);
        if (!digits.matches("[0-9]{1,5}") || Integer.parseInt(digits) == 0 || Integer.parseInt(digits) > LARGEST_PORT) {
            throw new IllegalArgumentException(
                    "'" + digits + "' is no port; a port is a number from 1 to " + LARGEST_PORT);
        }
        return new Authority(text.substring(0, colon), Integer.parseInt(digits));
    }

    private static List<SegmentPattern> labels(String host) {
        if (host.startsWith("[")) {
            if (!host.matches("\\[[0-9a-f:.]+]")) {
                throw new IllegalArgumentException("'" + host + "' is no address of IPv6");
            }
            return List.of(new SegmentPattern(host));
        }
        List<SegmentPattern> labels = new ArrayList<>();
        for (String label : host.split("\\.", -1)) {
            if (label.isEmpty()) {
                throw new IllegalArgumentException("the host '" + host + "' has an empty label");
            }
            if (!label.matches("[a-z0-9_*?-]+") || label.contains(SegmentPattern.ANY_NUMBER)) {
                throw new IllegalArgumentException(
                        "'" + label + "' is no label of a host; a label holds letters of a to z,"
                                + " digits, '-' and '_', and '*' or '?' for any of them");
            }
            labels.add(new SegmentPattern(label));
        }
        return List.copyOf(labels);
    }

    boolean matches(URI uri) {
        Authority authority = authorityOf(uri);
        if (authority == null || (port != ANY_PORT && port != authority.port())) {
            return false;
        }
        String host = authority.host();
        if (host.startsWith("[")) {
            return labels.size() == 1 && labels.get(0).isText() && labels.get(0).matches(host);
        }
        String[] named = host.split("\\.", -1);
        if (named.length != labels.size()) {
            return false;
        }
        for (int i = 0; i < named.length; i++) {
            if (!labels.get(i).matches(named[i])) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable Authority authorityOf(URI uri) {
        RequestTarget target = RequestTarget.of("", uri);
        if (target.host() == null) {
            return null;
        }
        String host = target.host().toLowerCase(Locale.ROOT);
        if (uri.getHost() != null) {
            return new Authority(host, target.port());
        }
        // a registry-based authority, such as a host with an underscore
        int colon = host.lastIndexOf(':');
        String digits = host.substring(colon + 1);
        return colon < 0 || !digits.matches("[0-9]{1,5}")
                ? new Authority(host, RequestTarget.defaultPort(uri.getScheme()))
                : new Authority(host.substring(0, colon), Integer.parseInt(digits));
    }

    /** Tells whether it matches every host that another one matches; false if the texts do not tell. */
    boolean covers(HostPattern other) {
        if ((port != ANY_PORT && port != other.port) || labels.size() != other.labels.size()) {
            return false;
        }
        for (int i = 0; i < labels.size(); i++) {
            if (!labels.get(i).covers(other.labels.get(i))) {
                return false;
            }
        }
        return true;
    }
}
