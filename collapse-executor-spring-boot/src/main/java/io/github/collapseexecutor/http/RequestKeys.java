package io.github.collapseexecutor.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Composes keys: which parts of a request take part under which policy (H2 to H5, H7, H10, H12). */
final class RequestKeys {

    private static final String HOST = "host";

    // immutable
    private final Set<String> ignoredNames = new HashSet<>();
    private final List<String> ignoredPrefixes = new ArrayList<>();

    RequestKeys(Set<String> furtherIgnored) {
        HeaderNames.IGNORED.forEach(this::ignore);
        furtherIgnored.forEach(this::ignore);
    }

    private void ignore(String name) {
        if (name.endsWith("*")) {
            ignoredPrefixes.add(name.substring(0, name.length() - 1));
        } else {
            ignoredNames.add(name);
        }
    }

    RequestKey keyOf(HttpRequestView request, HttpFields fields, CollapsePolicy policy, int epoch) {
        RequestKey.Target target = RequestKey.Target.of(request.method(), request.uri());
        Set<String> ofConnection = Set.copyOf(fields.members("connection"));
        List<HttpFields.Field> headers = new ArrayList<>();
        fields.forEach((name, field) -> {
            if (takesPart(name, field, target, policy, ofConnection)) {
                headers.add(new HttpFields.Field(name, field.values()));
            }
        });
        headers.sort(Comparator.comparing(HttpFields.Field::name));
        String query = request.uri().getRawQuery();
        return new RequestKey(
                target,
                policy.isStrict() ? query : listed(query, policy.requestQueries()),
                List.copyOf(headers),
                epoch);
    }

    private boolean takesPart(
            String name,
            HttpFields.Field field,
            RequestKey.Target target,
            CollapsePolicy policy,
            Set<String> ofConnection) {
        if (policy.requestHeaders().contains(name) || HeaderNames.ALWAYS_IN_KEY.contains(name)) {
            return true;
        }
        if (HeaderNames.CREDENTIALS.contains(name)) {
            return !policy.shareAcrossUsers();
        }
        if (name.equals(HOST)) {
            return !target.isNamedBy(field.values());
        }
        return policy.isStrict() && !ofConnection.contains(name) && !isIgnored(name);
    }

    private boolean isIgnored(String name) {
        if (ignoredNames.contains(name)) {
            return true;
        }
        for (String prefix : ignoredPrefixes) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
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
