package io.github.collapseexecutor.sample.groupcommit;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Lines over the number of users as inline SVG. The users stand at equal distances, in the order measured; the other axis
 * begins at 0.
 *
 * @param title what the lines show
 * @param lines lines of as many points, for the same users, at least one
 */
record LoadChart(String title, List<Line> lines) {

    private static final int WIDTH = 460;
    private static final int HEIGHT = 280;
    private static final int LEFT = 64;
    private static final int RIGHT = WIDTH - 16;
    private static final int TOP = 56;
    private static final int BOTTOM = HEIGHT - 44;
    /** Readers that do not tell red from green tell them apart, too. */
    private static final List<String> COLOURS = List.of("#bc4c00", "#0969da", "#57606a");

    /** A line. */
    record Line(String name, List<Point> points) {}

    /** A point of a line. */
    record Point(int users, double value) {}

    String toSvg() {
        double step = step();
        int steps = (int) Math.max(1, Math.ceil(greatest() / step));
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\" height=\"%2$d\""
                        + " role=\"img\" font-family=\"system-ui, DejaVu Sans, sans-serif\" font-size=\"12\">%n",
                WIDTH,
                HEIGHT));
        text(svg, LEFT, 20, "start", "font-weight=\"bold\" font-size=\"15\"", title);
        for (int i = 0; i <= steps; i++) {
            double y = BOTTOM - (double) i / steps * (BOTTOM - TOP);
            svg.append(String.format(
                    Locale.ROOT,
                    "  <line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#d0d7de\"/>%n",
                    LEFT,
                    y,
                    RIGHT,
                    y));
            text(svg, LEFT - 6, y + 4, "end", "", number(i * step));
        }
        List<Point> users = lines.get(0).points();
        for (int i = 0; i < users.size(); i++) {
            text(
                    svg,
                    x(i, users.size()),
                    BOTTOM + 18,
                    "middle",
                    "",
                    String.valueOf(users.get(i).users()));
        }
        text(svg, (LEFT + RIGHT) / 2.0, HEIGHT - 8, "middle", "", "users");
        for (int i = 0; i < lines.size(); i++) {
            draw(svg, lines.get(i), COLOURS.get(i % COLOURS.size()), steps * step, LEFT + 130 * i);
        }
        return svg.append("</svg>\n").toString();
    }

    private static void draw(StringBuilder svg, Line line, String colour, double top, int legend) {
        List<Point> points = line.points();
        List<double[]> places = IntStream.range(0, points.size())
                .mapToObj(i -> new double[] {
                    x(i, points.size()), BOTTOM - points.get(i).value() / top * (BOTTOM - TOP)
                })
                .toList();
        svg.append(String.format(
                Locale.ROOT,
                "  <polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>%n",
                colour,
                places.stream()
                        .map(place -> String.format(Locale.ROOT, "%.1f,%.1f", place[0], place[1]))
                        .collect(joining(" "))));
        for (double[] place : places) {
            svg.append(String.format(
                    Locale.ROOT,
                    "  <circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>%n",
                    place[0],
                    place[1],
                    colour));
        }
        svg.append(String.format(
                Locale.ROOT, "  <circle cx=\"%d\" cy=\"36\" r=\"5\" fill=\"%s\"/>%n", legend + 5, colour));
        text(svg, legend + 16, 40, "start", "", line.name());
    }

    private static double x(int index, int count) {
        return count == 1 ? (LEFT + RIGHT) / 2.0 : LEFT + 14 + (double) index / (count - 1) * (RIGHT - LEFT - 28);
    }

    private double greatest() {
        return lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(Point::value)
                .max()
                .orElse(0);
    }

    /** A round distance of grid lines, of which there are about five. */
    private double step() {
        double rough = Math.max(greatest(), 1e-3) / 5;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double digit = rough / power;
        return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,d", (long) value).replace(',', ' ')
                : String.format(Locale.ROOT, "%.4f", value).replaceFirst("0+$", "");
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String attributes, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "  <text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#24292f\" %s>%s</text>%n",
                x,
                y,
                anchor,
                attributes,
                text));
    }
}
