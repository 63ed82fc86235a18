package io.github.collapseexecutor.http.message;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The directives of a {@code Cache-Control} header (RFC 9111 section 5.2), read so that every doubt forbids more: of a
 * doubled age the lowest counts, an age that is no number counts as 0, a quote that is not closed hides nothing.
 * Public for other packages of the library only.
 */
public final class CacheControl {

    static final CacheControl NONE = new CacheControl(Map.of());

    /** What {@link #seconds(String)} returns where the directive is absent. */
    public static final long ABSENT = -1;

    // immutable
    private final Map<String, List<String>> directives;

    private CacheControl(Map<String, List<String>> directives) {
        this.directives = directives;
    }

    static CacheControl parse(List<String> lines) {
        Map<String, List<String>> directives = new HashMap<>();
        for (String line : lines) {
            for (String member : split(line)) {
                int equals = member.indexOf('=');
                String name = (equals < 0 ? member : member.substring(0, equals))
                        .strip()
                        .toLowerCase(Locale.ROOT);
                String argument =
                        equals < 0 ? "" : unquote(member.substring(equals + 1).strip());
                directives.computeIfAbsent(name, absent -> new ArrayList<>()).add(argument);
            }
        }
        return new CacheControl(directives);
    }

    private static List<String> split(String line) {
        List<String> members = new ArrayList<>();
        boolean quoted = false;
        int start = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '\\' && quoted) {
                i++;
            } else if (c == ',' && !quoted) {
                members.add(line.substring(start, i));
                start = i + 1;
            }
        }
        members.add(line.substring(start));
        return quoted ? List.of(line.split(",", -1)) : members;
    }

    private static String unquote(String argument) {
        boolean quoted = argument.length() >= 2 && argument.startsWith("\"") && argument.endsWith("\"");
        return quoted ? argument.substring(1, argument.length() - 1) : argument;
    }

    /** Whether the directive is present, with or without an argument. */
    public boolean has(String directive) {
        return directives.containsKey(directive);
    }

    /** The directive's delta-seconds, or {@link #ABSENT}. */
    public long seconds(String directive) {
        List<String> arguments = directives.get(directive);
        return arguments == null
                ? ABSENT
                : arguments.stream().mapToLong(CacheControl::deltaSeconds).min().orElse(0);
    }

    private static long deltaSeconds(String argument) {
        boolean number = !argument.isEmpty() && argument.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!number) {
            return 0;
        }
        return argument.length() > 10 ? Integer.MAX_VALUE : Math.min(Integer.MAX_VALUE, Long.parseLong(argument));
    }
}
