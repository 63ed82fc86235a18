package io.github.collapseexecutor.http.hc5;

import io.github.collapseexecutor.http.message.HttpFields;
import io.github.collapseexecutor.http.rules.SharedResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.message.BasicHeader;
import org.jspecify.annotations.Nullable;

/** The header lines of a message, as the rules see them and as a receiver of a shared response gets them. */
final class HeaderLines {

    private HeaderLines() {}

    /** Shows each header with all its values, in the order of their first lines. */
    static void forEach(Iterable<Header> lines, BiConsumer<? super String, ? super List<String>> action) {
        HttpFields.ofLines(lines, Header::getName, Header::getValue).forEachHeader(action);
    }

    /**
     * Returns the lines that a receiver gets: those of the origin, in its order and case, but for what the rules drop, set and
     * append.
     */
    static Header[] of(SharedResponse shared, SharedResponse.Receiver receiver, List<Header> received) {
        Map<String, List<@Nullable String>> left = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        shared.forEachHeader(receiver, (name, values) -> left.put(name, new ArrayList<>(values)));
        List<Header> lines = new ArrayList<>();
        for (Header line : received) {
            List<@Nullable String> values = left.get(line.getName());
            if (values != null && values.remove(line.getValue())) {
                lines.add(line);
            }
        }
        left.forEach((name, values) -> values.forEach(value -> lines.add(new BasicHeader(name, value))));
        return lines.toArray(new Header[0]);
    }
}
