package io.github.collapseexecutor.benchmark;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A chart with logarithmic axes as an SVG file, with text as text and a ground of its own, so that it can be read on a light
 * page and on a dark one.
 *
 * @param title what it shows
 * @param xAxis what stands below
 * @param yAxis what stands beside
 * @param lines at least one, of positive values
 */
record LineChart(String title, String xAxis, String yAxis, List<Line> lines) {

    private static final int WIDTH = 860;
    private static final int HEIGHT = 440;
    private static final int LEFT = 80;
    private static final int RIGHT = 640;
    private static final int TOP = 50;
    private static final int BOTTOM = 380;
    /** Readers that do not tell red from green tell them apart, too. */
    private static final List<String> COLOURS =
            List.of("#0969da", "#bc4c00", "#1a7f37", "#8250df", "#57606a", "#cf222e");

    /**
     * A line.
     *
     * @param reference is drawn dashed and without points: it was not measured
     */
    record Line(String name, boolean reference, List<Point> points) {}

    /** A point of a line. */
    record Point(double x, double y) {}

    /** Powers of ten that enclose some values. */
    private record Scale(int from, int to, int begin, int end) {

        static Scale of(List<Line> lines, ToDoubleFunction<Point> value, int begin, int end) {
            double[] sorted = lines.stream()
                    .flatMap(line -> line.points.stream())
                    .mapToDouble(value)
                    .map(Math::log10)
                    .sorted()
                    .toArray();
            int from = (int) Math.floor(sorted[0]);
            return new Scale(from, Math.max(from + 1, (int) Math.ceil(sorted[sorted.length - 1])), begin, end);
        }

        double at(double value) {
            return begin + (Math.log10(value) - from) / (to - from) * (end - begin);
        }
    }

    String toSvg() {
        Scale x = Scale.of(lines, Point::x, LEFT, RIGHT);
        Scale y = Scale.of(lines, Point::y, BOTTOM, TOP);
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(Locale.ROOT, """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" role="img" aria-labelledby="title">
                  <title id="title">%3$s</title>
                  <style>
                    text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #24292f; }
                    .h { font-weight: bold; font-size: 16px; }
                    .grid { stroke: #d0d7de; }
                    polyline { fill: none; stroke-width: 2; }
                    .reference { stroke-dasharray: 6 4; }
                  </style>
                  <rect fill="#ffffff" x="0.5" y="0.5" width="%4$d" height="%5$d" rx="8"/>
                """, WIDTH, HEIGHT, title, WIDTH - 1, HEIGHT - 1));
        text(svg, LEFT, 30, "start", " class=\"h\"", title);
        for (int power = x.from; power <= x.to; power++) {
            double at = x.at(Math.pow(10, power));
            grid(svg, at, TOP, at, BOTTOM);
            text(svg, at, BOTTOM + 20, "middle", "", Verdict.plain(Math.pow(10, power)));
        }
        for (int power = y.from; power <= y.to; power++) {
            double at = y.at(Math.pow(10, power));
            grid(svg, LEFT, at, RIGHT, at);
            text(svg, LEFT - 8, at + 4, "end", "", Verdict.plain(Math.pow(10, power)));
        }
        text(svg, (LEFT + RIGHT) / 2.0, BOTTOM + 44, "middle", "", xAxis);
        double middle = (TOP + BOTTOM) / 2.0;
        text(
                svg,
                22,
                middle,
                "middle",
                String.format(Locale.ROOT, " transform=\"rotate(-90 22 %.1f)\"", middle),
                yAxis);
        for (int i = 0; i < lines.size(); i++) {
            draw(svg, lines.get(i), COLOURS.get(i % COLOURS.size()), x, y, TOP + 20 + 24 * i);
        }
        return svg.append("</svg>\n").toString();
    }

    private static void draw(StringBuilder svg, Line line, String colour, Scale x, Scale y, int legend) {
        polyline(
                svg,
                line,
                colour,
                line.points.stream()
                        .map(point -> String.format(Locale.ROOT, "%.1f,%.1f", x.at(point.x), y.at(point.y)))
                        .collect(joining(" ")));
        if (!line.reference) {
            line.points.forEach(point -> svg.append(String.format(
                    Locale.ROOT,
                    "  <circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>%n",
                    x.at(point.x),
                    y.at(point.y),
                    colour)));
        }
        polyline(svg, line, colour, (RIGHT + 16) + "," + (legend - 4) + " " + (RIGHT + 46) + "," + (legend - 4));
        text(svg, RIGHT + 52, legend, "start", "", line.name);
    }

    private static void polyline(StringBuilder svg, Line line, String colour, String points) {
        svg.append(String.format(
                Locale.ROOT,
                "  <polyline%s stroke=\"%s\" points=\"%s\"/>%n",
                line.reference ? " class=\"reference\"" : "",
                colour,
                points));
    }

    private static void grid(StringBuilder svg, double x1, double y1, double x2, double y2) {
        svg.append(String.format(
                Locale.ROOT,
                "  <line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n",
                x1,
                y1,
                x2,
                y2));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String attributes, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "  <text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>%n",
                x,
                y,
                anchor,
                attributes,
                text));
    }
}
