package io.github.collapseexecutor.figures;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Sections as JSON in a file: how a process that measures tells them to the one that makes a report of them. */
public final class SectionFile {

    /** The system property that names the file; without it, nobody makes a report. */
    public static final String PROPERTY = "report.sections";

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private SectionFile() {}

    /** Writes the sections of this process to the file that {@value #PROPERTY} names, if it names one. */
    public static void offer(List<Section> sections) throws IOException {
        String file = System.getProperty(PROPERTY);
        if (file != null) {
            write(Path.of(file), sections);
        }
    }

    /** Writes sections to a file. */
    public static void write(Path file, List<Section> sections) throws IOException {
        JSON.writeValue(file.toFile(), sections);
    }

    /**
     * Reads sections.
     *
     * @throws IOException if the file is not there, or holds something else
     */
    public static List<Section> read(Path file) throws IOException {
        return JSON.readValue(file.toFile(), new TypeReference<List<Section>>() {});
    }
}
