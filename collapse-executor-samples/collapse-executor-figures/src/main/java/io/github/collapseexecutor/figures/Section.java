package io.github.collapseexecutor.figures;

import java.util.List;

/**
 * The result of one part of a report.
 *
 * @param title what was measured
 * @param notes paragraphs of plain text: how it was measured, and how to read it
 * @param charts the text of SVGs
 * @param tables the figures
 * @param mistakes what was wrong, each in words: an answer that was wrong or missing, a row that was lost; empty if all was right.
 *     A figure that is lower than hoped for is no mistake
 */
public record Section(
        String title, List<String> notes, List<String> charts, List<FigureTable> tables, List<String> mistakes) {

    /** Copies the lists. */
    public Section {
        notes = List.copyOf(notes);
        charts = List.copyOf(charts);
        tables = List.copyOf(tables);
        mistakes = List.copyOf(mistakes);
    }

    /** A section that draws its own charts. */
    public static Section of(
            String title, List<String> notes, List<? extends Chart> charts, FigureTable table, List<String> mistakes) {
        return new Section(title, notes, charts.stream().map(Chart::toSvg).toList(), List.of(table), mistakes);
    }
}
