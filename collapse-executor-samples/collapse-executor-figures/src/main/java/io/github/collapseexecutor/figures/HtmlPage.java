package io.github.collapseexecutor.figures;

import java.util.List;
import java.util.Locale;

/** A page that needs nothing but a browser: charts, and the figures below them. */
public final class HtmlPage {

    // mutable, confined to the thread that writes the page
    private final StringBuilder html = new StringBuilder();
    private final ChartPicture picture = new ChartPicture();
    private String heading = "";

    /** A page that begins with a title and a paragraph. */
    public HtmlPage(String title, String introduction) {
        html.append("""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <title>%1$s</title>
                <style>
                body { font: 15px system-ui, "DejaVu Sans", sans-serif; margin: 2em; color: #24292f; background: #fff; }
                table { border-collapse: collapse; }
                td, th { padding: 2px 10px; text-align: right; border-bottom: 1px solid #d0d7de; }
                td:nth-child(-n+2), th:nth-child(-n+2) { text-align: left; }
                svg { margin: 0 12px 12px 0; }
                </style>
                </head>
                <body>
                <h1>%1$s</h1>
                """.formatted(escaped(title)));
        paragraph(introduction);
    }

    /** Adds a paragraph of plain text. */
    public void paragraph(String text) {
        html.append("<p>").append(escaped(text)).append("</p>\n");
    }

    /** Begins a section. */
    public void heading(String text) {
        html.append("<h2 id=\"")
                .append(anchor(text))
                .append("\">")
                .append(escaped(text))
                .append("</h2>\n");
        heading = text;
    }

    /** Adds a list of sections that follow, each a link to its heading. */
    public void contents(List<String> headings) {
        html.append("<ul>\n");
        headings.forEach(one -> html.append("<li><a href=\"#")
                .append(anchor(one))
                .append("\">")
                .append(escaped(one))
                .append("</a></li>\n"));
        html.append("</ul>\n");
    }

    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }

    /** Adds charts, side by side where there is room. */
    public void charts(List<? extends Chart> charts) {
        picture.add(heading, charts);
        html.append("<div>\n");
        charts.forEach(chart -> html.append(chart.toSvg()));
        html.append("</div>\n");
    }

    /** Adds drawings, each the text of an SVG. */
    public void drawings(List<String> svgs) {
        html.append("<div>\n");
        svgs.forEach(html::append);
        html.append("</div>\n");
    }

    /** Adds a table of figures. */
    public void table(FigureTable table) {
        table(table.columns(), table.text());
    }

    /** A table; the first two columns are words. */
    public void table(List<String> heads, List<List<String>> rows) {
        html.append("<table>\n<tr>");
        heads.forEach(head -> html.append("<th>").append(escaped(head)).append("</th>"));
        html.append("</tr>\n");
        for (List<String> row : rows) {
            html.append("<tr>");
            row.forEach(cell -> html.append("<td>").append(escaped(cell)).append("</td>"));
            html.append("</tr>\n");
        }
        html.append("</table>\n");
    }

    /** The charts alone. */
    public ChartPicture picture() {
        return picture;
    }

    @Override
    public String toString() {
        return html + "</body>\n</html>\n";
    }

    /** A number for a cell, in a format of {@link String#format}. */
    public static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    /** Plain text as HTML. */
    public static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
