package io.github.collapseexecutor.figures;

import static java.util.stream.Collectors.joining;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Lines over the number of users, over time, or over parts of the answers. The points stand at equal distances, in the order
 * measured; the other axis begins at 0.
 *
 * @param title what the lines show
 * @param over what the points are measured over
 * @param lines lines for the same places, at least one
 */
public record LineChart(String title, String over, List<Line> lines) implements Chart {

    private static final int LEFT = 64;
    private static final int RIGHT = WIDTH - 16;
    private static final int TOP = 56;
    private static final int BOTTOM = HEIGHT - 44;
    /** Readers that do not tell red from green tell them apart, too. */
    static final List<String> COLOURS = List.of("#bc4c00", "#0969da", "#57606a", "#1a7f37", "#8250df", "#bf3989");

    /** The width of a dot of the legend with the space around it, and that of a letter. */
    private static final int LEGEND_GAP = 24;

    private static final double LETTER = 6.2;

    /** With more points than this, a line has no dots, and not every place has its number. */
    private static final int FEW = 12;

    /** A line, and what is to be marked of it. */
    public record Line(String name, List<Point> points, List<Mark> marks) {}

    /** A point of a line. */
    public record Point(String place, double value) {}

    /** The point of a line at that index, with words above. */
    public record Mark(int index, String words) {}

    @Override
    public String toSvg() {
        double step = step(greatest());
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
        List<Point> places = longest();
        int each = (places.size() - 1) / FEW + 1;
        for (int i = 0; i < places.size(); i += each) {
            text(
                    svg,
                    x(i, places.size()),
                    BOTTOM + 18,
                    "middle",
                    "",
                    places.get(i).place());
        }
        text(svg, (LEFT + RIGHT) / 2.0, HEIGHT - 8, "middle", "", over);
        int legend = LEFT;
        for (int i = 0; i < lines.size(); i++) {
            draw(svg, lines.get(i), COLOURS.get(i % COLOURS.size()), steps * step, places.size(), legend);
            legend += LEGEND_GAP + (int) (LETTER * lines.get(i).name().length());
        }
        return svg.append("</svg>\n").toString();
    }

    private static void draw(StringBuilder svg, Line line, String colour, double top, int count, int legend) {
        List<Point> points = line.points();
        List<double[]> places = IntStream.range(0, points.size())
                .mapToObj(i -> new double[] {x(i, count), BOTTOM - points.get(i).value() / top * (BOTTOM - TOP)})
                .toList();
        svg.append(String.format(
                Locale.ROOT,
                "  <polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>%n",
                colour,
                places.stream()
                        .map(place -> String.format(Locale.ROOT, "%.1f,%.1f", place[0], place[1]))
                        .collect(joining(" "))));
        for (double[] place : points.size() > FEW ? List.<double[]>of() : places) {
            svg.append(String.format(
                    Locale.ROOT,
                    "  <circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>%n",
                    place[0],
                    place[1],
                    colour));
        }
        for (Mark mark : line.marks()) {
            mark(svg, mark, places.get(mark.index()), colour);
        }
        svg.append(String.format(
                Locale.ROOT, "  <circle cx=\"%d\" cy=\"36\" r=\"5\" fill=\"%s\"/>%n", legend + 5, colour));
        text(svg, legend + 16, 40, "start", "", line.name());
    }

    private static void mark(StringBuilder svg, Mark mark, double[] place, String colour) {
        svg.append(String.format(
                Locale.ROOT,
                "  <line x1=\"%1$.1f\" y1=\"%2$.1f\" x2=\"%1$.1f\" y2=\"%3$d\" stroke=\"%4$s\" stroke-dasharray=\"4 3\"/>%n"
                        + "  <circle cx=\"%1$.1f\" cy=\"%2$.1f\" r=\"5\" fill=\"%4$s\"/>%n",
                place[0],
                place[1],
                BOTTOM,
                colour));
        boolean left = place[0] > (LEFT + RIGHT) / 2.0;
        text(
                svg,
                place[0] + (left ? -8 : 8),
                place[1] + 16,
                left ? "end" : "start",
                "font-weight=\"bold\"",
                mark.words());
    }

    private List<Point> longest() {
        return lines.stream()
                .map(Line::points)
                .max(Comparator.comparingInt(List::size))
                .orElseThrow();
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
    static double step(double greatest) {
        double rough = Math.max(greatest, 1e-3) / 5;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double digit = rough / power;
        return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
    }

    static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,d", (long) value).replace(',', ' ')
                : String.format(Locale.ROOT, "%.4f", value).replaceFirst("0+$", "");
    }

    static void text(StringBuilder svg, double x, double y, String anchor, String attributes, String text) {
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
