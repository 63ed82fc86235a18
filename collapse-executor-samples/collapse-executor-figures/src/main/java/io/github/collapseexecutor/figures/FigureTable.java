package io.github.collapseexecutor.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Figures in rows and columns.
 *
 * @param columns the head of each column, with its unit
 * @param rows a cell for each column: words, or a number
 */
public record FigureTable(List<String> columns, List<List<Object>> rows) {

    private static final String GAP = "  ";

    /**
     * Copies the rows.
     *
     * @throws IllegalArgumentException if a row has more or fewer cells than there are columns
     */
    public FigureTable {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<Object> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException(
                        "A row has " + row.size() + " cells, and must have " + columns.size() + ": " + row);
            }
        }
    }

    /** The cells as a reader sees them: of a number, three digits and those before them. */
    public List<List<String>> text() {
        return rows.stream()
                .map(row -> row.stream().map(FigureTable::text).toList())
                .toList();
    }

    private static String text(Object cell) {
        if (!(cell instanceof Double) && !(cell instanceof Float)) {
            return cell.toString();
        }
        double value = ((Number) cell).doubleValue();
        double size = Math.abs(value);
        return String.format(Locale.ROOT, size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f", value);
    }

    /**
     * Aligned lines for a terminal.
     *
     * @param words how many of the first columns hold words, which begin at the left; numbers end at the right
     */
    public String aligned(int words) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(columns);
        lines.addAll(text());
        int[] widths = new int[columns.size()];
        for (List<String> line : lines) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], line.get(column).length());
            }
        }
        StringBuilder all = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                String cell = line.get(column);
                String padding = " ".repeat(widths[column] - cell.length());
                text.append(column == 0 ? "" : GAP).append(column < words ? cell + padding : padding + cell);
            }
            all.append(text.toString().stripTrailing()).append(System.lineSeparator());
        }
        return all.toString();
    }
}
