package io.github.collapseexecutor.sample.groupcommit;

import io.github.collapseexecutor.figures.HtmlPage;
import io.github.collapseexecutor.figures.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** Where the page of an experiment goes, and the verdict on its measurements. */
@Component
@Lazy
class LoadResult {

    // immutable
    private final JdbcTemplate jdbc;
    private final JdbcConnectionDetails database;
    private final Path page;

    LoadResult(JdbcTemplate jdbc, JdbcConnectionDetails database, @Value("${load.page}") Path page) {
        this.jdbc = jdbc;
        this.database = database;
        this.page = page;
    }

    /** The machine and the software that was measured. */
    String machine() {
        String product = jdbc.execute((ConnectionCallback<String>)
                connection -> connection.getMetaData().getDatabaseProductName() + " "
                        + connection.getMetaData().getDatabaseProductVersion());
        return Machine.description() + "; " + product + " at " + database.getJdbcUrl();
    }

    /** Writes a page, and its charts as a picture beside it; returns whether all measurements are correct. */
    boolean write(HtmlPage html, List<LoadMeasurement> measurements) throws IOException {
        Path folder = page.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.writeString(page, html.toString());
        if (!html.picture().isEmpty()) {
            String name = String.valueOf(page.getFileName()).replaceFirst("\\.html$", "") + ".svg";
            Files.writeString(page.resolveSibling(name), html.picture().toSvg());
        }
        boolean correct = measurements.stream().allMatch(LoadMeasurement::isCorrect);
        System.out.println(verdict(measurements, correct) + " Charts: " + page.toAbsolutePath());
        return correct;
    }

    private static String verdict(List<LoadMeasurement> measurements, boolean correct) {
        if (correct) {
            return "Every acknowledged row and order is there, once, and stock and orders add up.";
        }
        long mistakes =
                measurements.stream().mapToLong(LoadMeasurement::mistakes).sum();
        long failed = measurements.stream().mapToLong(LoadMeasurement::failed).sum();
        long idle = measurements.stream()
                .filter(measurement -> measurement.acknowledged() == 0)
                .count();
        return mistakes + " MISTAKES, " + failed + " requests failed, " + idle
                + " measurements without any that succeeded: see the page.";
    }
}
