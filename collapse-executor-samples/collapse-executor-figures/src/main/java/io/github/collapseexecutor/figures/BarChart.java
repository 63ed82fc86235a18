package io.github.collapseexecutor.figures;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * A horizontal bar for each way of doing the same, from 0.
 *
 * @param title what the bars show, with its unit
 * @param bars at least one
 */
public record BarChart(String title, List<Bar> bars) implements Chart {

    private static final int LEFT = 130;
    private static final int RIGHT = WIDTH - 80;
    private static final int TOP = 40;
    private static final int BOTTOM = HEIGHT - 12;

    /** A bar. */
    public record Bar(String name, double value) {}

    @Override
    public String toSvg() {
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\" height=\"%2$d\""
                        + " role=\"img\" font-family=\"system-ui, DejaVu Sans, sans-serif\" font-size=\"12\">%n",
                WIDTH,
                HEIGHT));
        LineChart.text(svg, 16, 20, "start", "font-weight=\"bold\" font-size=\"15\"", title);
        double greatest = bars.stream()
                .map(Bar::value)
                .max(Comparator.naturalOrder())
                .filter(value -> value > 0)
                .orElse(1.0);
        double row = Math.min(52, (double) (BOTTOM - TOP) / bars.size());
        for (int i = 0; i < bars.size(); i++) {
            Bar bar = bars.get(i);
            double y = TOP + i * row;
            double width = bar.value() / greatest * (RIGHT - LEFT);
            svg.append(String.format(
                    Locale.ROOT,
                    "  <rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n",
                    LEFT,
                    y,
                    width,
                    row * 0.7,
                    LineChart.COLOURS.get(i % LineChart.COLOURS.size())));
            double middle = y + row * 0.35 + 4;
            LineChart.text(svg, LEFT - 6, middle, "end", "", HtmlPage.escaped(bar.name()));
            LineChart.text(svg, LEFT + width + 6, middle, "start", "", rounded(bar.value()));
        }
        return svg.append("</svg>\n").toString();
    }

    private static String rounded(double value) {
        return LineChart.number(value >= 100 ? Math.rint(value) : Math.rint(value * 100) / 100);
    }
}
