package io.github.collapseexecutor.http.message;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An immutable copy of a header section: names in any case, values in order, absent told from empty. Some frameworks accept a
 * null value, which is kept as such, told from an empty one, and read as nothing. Public for other packages of the library only.
 */
public final class HttpFields {

    // immutable
    private final Map<String, Field> fields;

    private HttpFields(Map<String, Field> fields) {
        this.fields = fields;
    }

    public record Field(String name, List<@Nullable String> values) {

        /** Keeps a copy of the values. */
        static Field copyOf(String name, @Nullable List<@Nullable String> values) {
            if (values == null) {
                return new Field(name, List.of());
            }
            // most fields have one value, and this list of one is the smallest that may hold a null
            return new Field(
                    name,
                    values.size() == 1
                            ? Collections.singletonList(values.get(0))
                            : Collections.unmodifiableList(new ArrayList<>(values)));
        }

        /** This field by its name in lower case. */
        public Field inLowerCase(String lowerCaseName) {
            return name.equals(lowerCaseName) ? this : new Field(lowerCaseName, values);
        }

        /** The values that are not null. */
        List<String> presentValues() {
            return values.stream().filter(Objects::nonNull).toList();
        }
    }

    /** Copies what a view's {@code forEachHeader} shows. */
    public static HttpFields copyOf(Consumer<BiConsumer<? super String, ? super List<String>>> source) {
        Map<String, Field> fields = new LinkedHashMap<>();
        source.accept((BiConsumer<String, List<String>>) (name, values) -> fields.merge(
                HeaderNames.lowerCase(name),
                Field.copyOf(name, values),
                (one, other) -> new Field(one.name(), concat(one.values(), other.values()))));
        return new HttpFields(fields);
    }

    /** Copies a header section that is shown line by line. */
    public static <L> HttpFields ofLines(
            Iterable<L> lines, Function<L, String> name, Function<L, @Nullable String> value) {
        return copyOf(action ->
                lines.forEach(line -> action.accept(name.apply(line), Collections.singletonList(value.apply(line)))));
    }

    private static List<@Nullable String> concat(List<@Nullable String> one, List<@Nullable String> other) {
        List<@Nullable String> both = new ArrayList<>(one);
        both.addAll(other);
        return Collections.unmodifiableList(both);
    }

    public boolean contains(String lowerCaseName) {
        return fields.containsKey(lowerCaseName);
    }

    public boolean containsAnyOf(String... lowerCaseNames) {
        for (String name : lowerCaseNames) {
            if (fields.containsKey(name)) {
                return true;
            }
        }
        return false;
    }

    /** The values of a header, or null where it is absent. */
    public @Nullable List<@Nullable String> values(String lowerCaseName) {
        Field field = fields.get(lowerCaseName);
        return field == null ? null : field.values();
    }

    /** The members of a comma-separated header over all its lines (RFC 9110 section 5.6.1), in lower case. */
    public List<String> members(String lowerCaseName) {
        List<String> members = new ArrayList<>();
        Field field = fields.get(lowerCaseName);
        if (field != null) {
            for (String value : field.presentValues()) {
                for (String member : value.split(",", -1)) {
                    String trimmed = member.strip();
                    if (!trimmed.isEmpty()) {
                        members.add(trimmed.toLowerCase(Locale.ROOT));
                    }
                }
            }
        }
        return members;
    }

    /** Whether one of the {@link #members} begins with one of some texts, which are in lower case and have no comma. */
    public boolean hasMemberThatBegins(String lowerCaseName, String... prefixes) {
        Field field = fields.get(lowerCaseName);
        if (field != null) {
            List<@Nullable String> values = field.values();
            for (int i = 0; i < values.size(); i++) {
                String value = values.get(i);
                if (value != null && hasMemberThatBeginsIn(value, prefixes)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean hasMemberThatBeginsIn(String value, String[] prefixes) {
        for (int comma = -1; comma < value.length(); ) {
            int start = comma + 1;
            comma = value.indexOf(',', start);
            if (comma < 0) {
                comma = value.length();
            }
            while (start < comma && Character.isWhitespace(value.charAt(start))) {
                start++;
            }
            if (beginsAt(value, start, comma, prefixes)) {
                return true;
            }
        }
        return false;
    }

    private static boolean beginsAt(String value, int start, int end, String[] prefixes) {
        if (start == end) {
            return false;
        }
        char first = Character.toLowerCase(value.charAt(start));
        for (String prefix : prefixes) {
            boolean begins = prefix.charAt(0) == first
                    && start + prefix.length() <= end
                    && value.regionMatches(true, start, prefix, 0, prefix.length());
            if (begins) {
                return true;
            }
        }
        return false;
    }

    public CacheControl cacheControl() {
        Field field = fields.get("cache-control");
        return field == null ? CacheControl.NONE : CacheControl.parse(field.presentValues());
    }

    /** Whether a view's {@code forEachHeader} shows exactly these fields, each of them once. */
    public boolean areThoseOf(Consumer<BiConsumer<? super String, ? super List<String>>> source) {
        int[] counts = new int[2]; // shown, equal
        source.accept((BiConsumer<String, List<String>>) (name, values) -> {
            counts[0]++;
            Field field = fields.get(HeaderNames.lowerCase(name));
            if (field != null && field.values().equals(values)) {
                counts[1]++;
            }
        });
        return counts[0] == fields.size() && counts[1] == fields.size();
    }

    public int size() {
        return fields.size();
    }

    /** The names in lower case. */
    public Set<String> names() {
        return fields.keySet();
    }

    /** The names, in lower case and sorted, of the fields that only one of two sections has, or has with other values. */
    public Set<String> namesThatDiffer(HttpFields other) {
        Set<String> differing = new TreeSet<>(names());
        differing.addAll(other.names());
        differing.removeIf(name -> Objects.equals(values(name), other.values(name)));
        return differing;
    }

    /** Hands out each name in lower case with its field. */
    public void forEach(BiConsumer<String, Field> action) {
        fields.forEach(action);
    }

    /** Shows each header as a view does: by its name as it came first, with all its values. */
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        fields.values().forEach(field -> action.accept(field.name(), field.values()));
    }

    /** These fields without some. */
    public HttpFields without(Iterable<String> lowerCaseNames) {
        Map<String, Field> rest = new LinkedHashMap<>(fields);
        lowerCaseNames.forEach(rest::remove);
        return new HttpFields(rest);
    }

    /** These fields with one more value of a field, behind those it has. */
    public HttpFields appending(String name, String value) {
        Map<String, Field> changed = new LinkedHashMap<>(fields);
        changed.merge(
                name.toLowerCase(Locale.ROOT),
                new Field(name, List.of(value)),
                (present, added) -> new Field(present.name(), concat(present.values(), added.values())));
        return new HttpFields(changed);
    }
}
