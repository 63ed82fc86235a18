package io.github.collapseexecutor.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.github.collapseexecutor.figures.FigureTable;
import io.github.collapseexecutor.figures.HtmlPage;
import io.github.collapseexecutor.figures.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Sections as a page for people, and as a file for programs. */
final class ReportPage {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private ReportPage() {}

    /** What stands in the file: all but the charts. */
    record Results(String machine, List<Result> results) {}

    /** The result of a section. */
    record Result(String title, List<FigureTable> tables, List<String> mistakes) {}

    static void write(Path folder, String machine, List<Section> sections) throws IOException {
        Files.writeString(folder.resolve("index.html"), page(machine, sections).toString());
        JSON.writeValue(
                folder.resolve("results.json").toFile(),
                new Results(
                        machine,
                        sections.stream()
                                .map(section -> new Result(section.title(), section.tables(), section.mistakes()))
                                .toList()));
    }

    private static HtmlPage page(String machine, List<Section> sections) {
        HtmlPage html = new HtmlPage("collapse-executor: what it saves, and what it costs", machine);
        html.paragraph(
                "Ratios carry over to another machine better than absolute figures do. Servers, clients and load share the"
                        + " processors of one machine here.");
        html.contents(sections.stream().map(Section::title).toList());
        for (Section section : sections) {
            html.heading(section.title());
            section.mistakes().forEach(mistake -> html.paragraph("WRONG: " + mistake));
            section.notes().forEach(html::paragraph);
            html.drawings(section.charts());
            section.tables().forEach(html::table);
        }
        return html;
    }
}
