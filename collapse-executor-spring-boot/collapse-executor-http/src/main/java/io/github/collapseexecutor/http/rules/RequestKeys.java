package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.message.HeaderNames;
import io.github.collapseexecutor.http.message.HeaderPatterns;
import io.github.collapseexecutor.http.message.HttpFields;
import io.github.collapseexecutor.http.message.PercentEncoding;
import io.github.collapseexecutor.http.message.RequestTarget;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Composes keys: which parts of a request take part under which policy (H2 to H5, H7, H10, H12). */
final class RequestKeys {

    private static final String HOST = "host";

    // immutable
    private final HeaderPatterns ignored;
    private final HeaderPatterns credentials;

    RequestKeys(Set<String> furtherIgnored, HeaderPatterns credentials) {
        this.ignored = HeaderPatterns.of(HeaderNames.IGNORED, furtherIgnored);
        this.credentials = credentials;
    }

    RequestKey keyOf(
            HttpRequestView request, RequestTarget target, HttpFields fields, CollapsePolicy policy, int epoch) {
        List<HttpFields.Field> headers = new ArrayList<>(fields.size());
        fields.forEach((name, field) -> {
            if (takesPart(name, field, target, policy)) {
                headers.add(field.inLowerCase(name));
            }
        });
        headers.sort(Comparator.comparing(HttpFields.Field::name));
        String query = request.uri().getRawQuery();
        return new RequestKey(
                target,
                policy.wholeQuery() ? query : listed(query, policy.requestQueries()),
                List.copyOf(headers),
                placeOf(request, policy),
                request.client(),
                epoch);
    }

    private boolean takesPart(String name, HttpFields.Field field, RequestTarget target, CollapsePolicy policy) {
        if (policy.requestHeaders().contains(name) || HeaderNames.ALWAYS_IN_KEY.contains(name)) {
            return true;
        }
        if (credentials.contain(name)) {
            return !policy.shareAcrossUsers();
        }
        if (name.equals(HOST)) {
            return !target.isNamedBy(field.values());
        }
        return policy.everyHeader() && !ignored.contain(name);
    }

    /** Where a server has the request from and dispatches it to, or a client sends it instead of where it was asked to. */
    private static List<@Nullable String> placeOf(HttpRequestView request, CollapsePolicy policy) {
        List<@Nullable String> dispatchedTo = request.dispatchedTo();
        String address = policy.clientAddress() ? request.clientAddress() : null;
        String received = request.receivedPath();
        if (dispatchedTo.isEmpty() && address == null && received == null) {
            return List.of();
        }
        List<@Nullable String> place = new ArrayList<>(dispatchedTo);
        place.add(received);
        place.add(address);
        return place;
    }

    /** The raw parameters whose decoded name is listed, in order; an origin may also separate them by {@code ;}. */
    private static List<String> listed(@Nullable String rawQuery, Set<String> names) {
        List<String> listed = new ArrayList<>();
        if (rawQuery != null && !names.isEmpty()) {
            for (String parameter : rawQuery.split("&", -1)) {
                for (String part : parameter.split(";", -1)) {
                    if (names.contains(nameOf(part))) {
                        listed.add(parameter);
                        break;
                    }
                }
            }
        }
        return listed;
    }

    private static String nameOf(String rawParameter) {
        int equals = rawParameter.indexOf('=');
        String rawName = equals < 0 ? rawParameter : rawParameter.substring(0, equals);
        return PercentEncoding.decodeLeniently(rawName.replace('+', ' '));
    }
}
