package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.message.HeaderNames;
import io.github.collapseexecutor.http.message.HeaderPatterns;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * In which headers and query parameters two requests with one key differ, by name: what may explain that their responses do.
 * Public for other packages of the library only.
 */
public final class RequestDifferences {

    private static final HeaderPatterns OF_ONE_REQUEST = HeaderPatterns.of(HeaderNames.OF_ONE_REQUEST, List.of());

    /** A name that is longer is no name that a service reads, but may fill a log. */
    private static final int LONGEST_NAME = 64;

    private RequestDifferences() {}

    /** Returns {@code header x} and {@code query x} for each of them, sorted. */
    public static Set<String> between(CollapsibleRequest one, CollapsibleRequest other) {
        Set<String> differing = new TreeSet<>();
        for (String name : one.fields().namesThatDiffer(other.fields())) {
            if (!OF_ONE_REQUEST.contain(name)) {
                differing.add("header " + shown(name));
            }
        }
        Map<String, List<String>> left = parameters(one.uri());
        Map<String, List<String>> right = parameters(other.uri());
        Set<String> names = new TreeSet<>(left.keySet());
        names.addAll(right.keySet());
        for (String name : names) {
            if (!left.getOrDefault(name, List.of()).equals(right.getOrDefault(name, List.of()))) {
                differing.add("query " + shown(name));
            }
        }
        return differing;
    }

    private static Map<String, List<String>> parameters(URI uri) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        String query = uri.getRawQuery();
        if (query != null) {
            for (String parameter : query.split("&", -1)) {
                int equals = parameter.indexOf('=');
                String name = equals < 0 ? parameter : parameter.substring(0, equals);
                parameters.computeIfAbsent(name, absent -> new ArrayList<>()).add(parameter);
            }
        }
        return parameters;
    }

    /** A name that a client has chosen, for a log: it may be long, and need not be printable. */
    private static String shown(String name) {
        String printable = name.replaceAll("[^\\x21-\\x7E]", "?");
        return printable.length() <= LONGEST_NAME ? printable : printable.substring(0, LONGEST_NAME) + "...";
    }
}
