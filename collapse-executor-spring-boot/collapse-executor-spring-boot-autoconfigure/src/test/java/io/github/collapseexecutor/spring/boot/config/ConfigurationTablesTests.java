package io.github.collapseexecutor.spring.boot.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The tables of docs/configuration.md say what the metadata say. {@code -Dconfiguration.page=write} writes them. */
class ConfigurationTablesTests {

    private static final Path PAGE = Path.of("../../docs/configuration.md");

    private final Map<String, Map<?, ?>> metadata = MetadataTests.properties();

    @Test
    void thePageShowsTheMetadata() throws IOException {
        String written = new ConfigurationTables(metadata).write(Files.readString(PAGE));
        if (System.getProperty("configuration.page", "").equals("write")) {
            Files.writeString(PAGE, written);
        }
        assertThat(Files.readString(PAGE))
                .as("run with -Dconfiguration.page=write")
                .isEqualTo(written);
    }

    @Test
    void aTableThatSaysAnythingElseIsMended() throws IOException {
        String page = Files.readString(PAGE);
        String broken = page;
        for (String[] change : new String[][] {
            {"| `pass-ttl` | duration, 0 to 365 days | `2m` |", "| `pass-ttl` | duration, 0 to 365 days | `5m` |"},
            {"| `max-join-age` | duration > 0 | none |", "| `max-join-age` | duration > 0 | `3s` |"},
            {"| `max-body-size` | size | `2MB` | Largest", "| `max-body-size` | integer | `2MB` | Clients only: Largest"
            },
            {"| `cluster` | boolean | `false` | Clients only: ", "| `cluster` | boolean | `false` | "},
            {
                "| `join` | `fresh`, `in-flight` |",
                "| `gone` | boolean | `true` | Nothing. |\n| `join`, `gone` | `fresh` |"
            },
        }) {
            assertThat(broken).as(change[0]).contains(change[0]);
            broken = broken.replace(change[0], change[1]);
        }
        assertThat(new ConfigurationTables(metadata).write(broken)).isEqualTo(page);
    }

    @Test
    void aPropertyWithoutARowGetsOne() throws IOException {
        Map<String, Map<?, ?>> more = new LinkedHashMap<>(metadata);
        for (String section : new String[] {"servlet", "webflux"}) {
            String name = "collapse.executor." + section + ".new-one";
            more.put(
                    name,
                    Map.of(
                            "name",
                            name,
                            "type",
                            "java.lang.Integer",
                            "defaultValue",
                            7,
                            "description",
                            "What it does."));
        }
        String page = Files.readString(PAGE);
        String written = new ConfigurationTables(more).write(page);
        String row = "| `new-one` | integer | `7` | Servers only: What it does. |\n";
        assertThat(written).contains(row + "\n### Policies");
        assertThat(written.replace(row, "")).isEqualTo(page);
    }
}
