package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.message.HttpFields;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which content codings a request allows (RFC 9110 section 12.5.3). One deviation, to be on the safe side: a request without
 * the header allows none, because a client that sends none can rarely decode any.
 */
final class AcceptEncoding {

    // immutable
    private final @Nullable List<String> members;

    AcceptEncoding(HttpFields request) {
        this.members = request.contains("accept-encoding") ? request.members("accept-encoding") : null;
    }

    boolean allows(List<String> codings) {
        return codings.stream().allMatch(this::allows);
    }

    private boolean allows(String coding) {
        if (members == null) {
            return false;
        }
        Boolean named = null;
        boolean byStar = false;
        for (String member : members) {
            String[] parts = member.split(";", -1);
            String name = parts[0].strip();
            if (canonical(name).equals(canonical(coding))) {
                named = (named == null || named) && isWanted(parts);
            } else if (name.equals("*")) {
                byStar = isWanted(parts);
            }
        }
        return named == null ? byStar : named;
    }

    /** Recipients treat the old names as equal (RFC 9110 section 8.4.1). */
    private static String canonical(String coding) {
        String name = coding.toLowerCase(Locale.ROOT);
        return name.equals("x-gzip") || name.equals("x-compress") ? name.substring(2) : name;
    }

    /** Whether its weight is above 0; one that cannot be read counts as 0. */
    private static boolean isWanted(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.startsWith("q=")) {
                return parameter.substring(2).strip().matches("1(\\.0{0,3})?|0\\.(?!0{1,3}$)[0-9]{1,3}");
            }
        }
        return true;
    }
}
