package io.github.collapseexecutor.spring.boot.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.util.ClassUtils;

/**
 * The tables of docs/configuration.md as the configuration metadata gives them. The metadata decide which properties there are, the word
 * for a type, each default and the sections that have a property. By hand are the order and the grouping of rows, the limits
 * behind the word for a type, the words for no default, and the meaning.
 */
final class ConfigurationTables {

    private static final String PREFIX = "collapse.executor.";
    private static final List<String> CLIENTS = List.of("rest-template", "rest-client", "web-client");
    private static final List<String> SERVERS = List.of("servlet", "webflux");
    private static final String HTTP = "HTTP";
    private static final String POLICIES = "Policies";

    private static final String HEADER = "| Property | Type | Default | Meaning |";
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern ONLY = Pattern.compile("^(?:Clients|Servers|`[a-z-]+`) only: ");

    // immutable
    /** By the name as it stands in a table, in the order of the metadata: the property of each section that has it. */
    private final Map<String, List<Map<?, ?>>> ofTables = new LinkedHashMap<>();

    ConfigurationTables(Map<String, Map<?, ?>> metadata) {
        metadata.forEach((name, property) -> {
            if (name.startsWith(PREFIX)) {
                ofTables.computeIfAbsent(key(name.substring(PREFIX.length())), absent -> new ArrayList<>())
                        .add(property);
            }
        });
    }

    /** The heading and the name: properties of sections stand once for all. */
    private static String key(String name) {
        String section = sectionOf(name);
        String own = section.isEmpty() ? name : name.substring(section.length() + 1);
        return heading(!section.isEmpty(), own) + " " + own;
    }

    private static String sectionOf(String name) {
        return Stream.concat(CLIENTS.stream(), SERVERS.stream())
                .filter(section -> name.startsWith(section + "."))
                .findFirst()
                .orElse("");
    }

    private static String heading(boolean isOfSection, String name) {
        if (isOfSection) {
            return name.startsWith("collapse-policies") ? POLICIES : HTTP;
        }
        return switch (name.replaceFirst("[.\\[].*", "")) {
            case "annotations" -> "Annotated methods";
            case "executors" -> "Executors by name";
            case "cluster" -> "Other instances";
            case "writers", "sequences" -> "Writes and numbers";
            default -> "Gathering";
        };
    }

    /** The page with its tables as they should be. */
    String write(String page) {
        Set<String> shown = new HashSet<>();
        List<String> lines = new ArrayList<>();
        String heading = "";
        boolean isTable = false;
        for (String line : page.split("\n", -1)) {
            if (line.startsWith("#")) {
                heading = line.replaceFirst("^#+ ", "");
            }
            if (isTable && !line.startsWith("|")) {
                addMissing(heading, shown, lines);
                isTable = false;
            }
            if (line.equals(HEADER)) {
                isTable = true;
            }
            if (isTable && line.startsWith("| `")) {
                addRow(heading, line, shown, lines);
            } else {
                lines.add(line);
            }
        }
        return String.join("\n", lines);
    }

    private void addMissing(String heading, Set<String> shown, List<String> lines) {
        ofTables.forEach((key, properties) -> {
            if (key.startsWith(heading + " ") && shown.add(key)) {
                String name = key.substring(heading.length() + 1);
                lines.add(row(name, "", "none", String.valueOf(properties.get(0).get("description")), List.of(key)));
            }
        });
    }

    /** A name that the metadata do not have goes, and a row that has no other name. */
    private void addRow(String heading, String line, Set<String> shown, List<String> lines) {
        String[] cells = line.substring(2, line.length() - 2).split(" \\| ", -1);
        List<String> names = CODE.matcher(cells[0])
                .results()
                .map(match -> match.group(1))
                .filter(name -> ofTables.containsKey(heading + " " + name) && shown.add(heading + " " + name))
                .toList();
        if (!names.isEmpty()) {
            List<String> keys = names.stream().map(name -> heading + " " + name).toList();
            lines.add(row(String.join("`, `", names), cells[1], cells[2], cells[3], keys));
        }
    }

    private String row(String names, String type, String absent, String meaning, List<String> keys) {
        return "| `" + names + "` | " + type(type, keys) + " | " + byDefault(absent, keys) + " | " + only(keys)
                + ONLY.matcher(meaning).replaceFirst("") + " |";
    }

    private Stream<Map<?, ?>> properties(List<String> keys) {
        return keys.stream().flatMap(key -> ofTables.get(key).stream());
    }

    /** The word for the type of all, and the limits that stood behind it; what is by hand if the types differ. */
    private String type(String present, List<String> keys) {
        Set<List<String>> words = properties(keys)
                .map(property -> words(String.valueOf(property.get("type"))))
                .collect(Collectors.toSet());
        if (words.size() > 1) {
            return present;
        }
        List<String> allowed = words.iterator().next();
        return allowed.stream().anyMatch(present::startsWith) ? present : allowed.get(0);
    }

    private static List<String> words(String type) {
        return switch (type.replaceFirst("<.*", "")) {
            case "java.lang.Boolean" -> List.of("boolean");
            case "java.lang.Integer", "java.lang.Long" -> List.of("integer");
            case "java.lang.Double" -> List.of("number");
            case "java.lang.String" -> List.of("text", "name");
            case "java.time.Duration" -> List.of("duration");
            case "org.springframework.util.unit.DataSize" -> List.of("size");
            case "java.util.List" -> List.of("list");
            case "java.util.Map" -> List.of("map by name");
            default ->
                List.of(Arrays.stream((Enum<?>[])
                                ClassUtils.resolveClassName(type, null).getEnumConstants())
                        .map(constant -> "`" + EnumWord.of(constant) + "`")
                        .collect(Collectors.joining(", ")));
        };
    }

    /** The defaults as code; without any, the words that stood there, or the other property that is one. */
    private String byDefault(String present, List<String> keys) {
        Set<String> defaults = properties(keys)
                .map(property -> property.get("defaultValue"))
                .map(value -> value == null ? "" : "`" + value + "`")
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (!defaults.equals(Set.of(""))) {
            return String.join(", ", defaults);
        }
        boolean isValue = present.matches("`[^`]+`(?:, `[^`]+`)*")
                && CODE.matcher(present).results().map(MatchResult::group).noneMatch(this::isProperty);
        return isValue ? "none" : present;
    }

    private boolean isProperty(String code) {
        return ofTables.containsKey("Gathering " + code.replace("`", ""));
    }

    /** Which sections have all of these, if not each has. */
    private String only(List<String> keys) {
        Set<String> sections = properties(keys)
                .map(property -> sectionOf(String.valueOf(property.get("name")).substring(PREFIX.length())))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (sections.size() > CLIENTS.size() || sections.contains("")) {
            return "";
        }
        if (sections.equals(Set.copyOf(CLIENTS))) {
            return "Clients only: ";
        }
        return sections.equals(Set.copyOf(SERVERS))
                ? "Servers only: "
                : "`" + String.join("`, `", sections) + "` only: ";
    }
}
