package io.github.collapseexecutor.spring.boot.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/** What a YAML says about its groups, read from its keys alone and not by the library. */
final class ShownConfiguration {

    /** In which two questions may differ. */
    enum Part {
        QUERY,
        LANGUAGE,
        USER
    }

    /**
     * One group.
     *
     * @param path one that its first pattern matches
     * @param clients the beans for which it holds
     * @param counts what tells two requests apart
     */
    record Group(String path, List<String> clients, Set<Part> counts) {}

    private static final String PREFIX = "collapse.executor.";

    // immutable
    private final String yaml;
    private final Map<String, String> properties;

    private ShownConfiguration(String yaml, Map<String, String> properties) {
        this.yaml = yaml;
        this.properties = properties;
    }

    /** Reads a YAML. A group of HTTP services is given as a bean of its name, as only newer lines of Spring have such groups. */
    static ShownConfiguration of(String shown) throws IOException {
        String yaml = shown.replace("apply-http-service-groups", "apply-bean-names");
        Map<String, String> properties = new TreeMap<>();
        for (PropertySource<?> source : new YamlPropertySourceLoader()
                .load("shown", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))) {
            for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
                properties.put(name, String.valueOf(source.getProperty(name)));
            }
        }
        return new ShownConfiguration(yaml, properties);
    }

    String yaml() {
        return yaml;
    }

    /** The sections that have groups. */
    List<String> sections() {
        return Stream.of("rest-template", "web-client", "servlet", "webflux")
                .filter(section -> has(section + ".collapse-groups"))
                .toList();
    }

    List<Group> groups(String section) {
        List<Group> groups = new ArrayList<>();
        for (int i = 0; has(section + ".collapse-groups[" + i + "]"); i++) {
            String group = section + ".collapse-groups[" + i + "]";
            List<String> own = values(group + ".apply-bean-names");
            groups.add(new Group(
                    values(group + ".uris").get(0).replace("**", "7/8").replace("*", "7"),
                    own.isEmpty() ? values(section + ".apply-bean-names") : own,
                    counts(section, properties.get(PREFIX + group + ".collapse-policy-name"))));
        }
        return groups;
    }

    Set<String> clients(String section) {
        Set<String> names = new LinkedHashSet<>(values(section + ".apply-bean-names"));
        groups(section).forEach(group -> names.addAll(group.clients()));
        return names;
    }

    private Set<Part> counts(String section, String policy) {
        if (policy == null || policy.equals("strict")) {
            return EnumSet.allOf(Part.class);
        }
        if (policy.equals("path-only")) {
            return EnumSet.of(Part.USER);
        }
        String own = section + ".collapse-policies." + policy;
        Set<Part> counts = EnumSet.allOf(Part.class);
        boolean strict = values(own + ".strict").contains("true");
        if (!strict && has(own + ".collapse-request-queries")) {
            counts.remove(Part.QUERY);
        }
        if (!strict && has(own + ".collapse-request-headers")) {
            counts.remove(Part.LANGUAGE);
        }
        if (values(own + ".share-across-users").contains("true")) {
            counts.remove(Part.USER);
        }
        return counts;
    }

    private boolean has(String name) {
        return properties.keySet().stream().anyMatch(key -> key.startsWith(PREFIX + name));
    }

    /** The values of a list, however it is written. */
    private List<String> values(String name) {
        List<String> values = new ArrayList<>();
        properties.forEach((key, value) -> {
            if (key.equals(PREFIX + name)) {
                values.addAll(List.of(value.split(", *")));
            } else if (key.startsWith(PREFIX + name + "[")) {
                values.add(value);
            }
        });
        return values;
    }
}
