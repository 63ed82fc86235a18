package io.github.collapseexecutor.figures;

import java.util.List;
import java.util.Locale;

/** The charts of a page as one SVG, for places that show pictures and no pages. */
public final class ChartPicture {

    private static final int COLUMNS = 3;
    private static final int HEADING = 36;
    private static final int WIDTH = COLUMNS * Chart.WIDTH;

    // mutable, confined to the thread that writes the page
    private final StringBuilder parts = new StringBuilder();
    private int height;

    /** An empty picture. */
    public ChartPicture() {}

    /** Whether nothing was added. */
    public boolean isEmpty() {
        return height == 0;
    }

    /** Adds charts below a heading. */
    public void add(String heading, List<? extends Chart> charts) {
        parts.append(String.format(
                Locale.ROOT,
                "<text x=\"16\" y=\"%d\" fill=\"#24292f\" font-size=\"18\" font-weight=\"bold\">%s</text>%n",
                height + 26,
                HtmlPage.escaped(heading)));
        height += HEADING;
        for (int i = 0; i < charts.size(); i++) {
            parts.append(String.format(
                    Locale.ROOT,
                    "<g transform=\"translate(%d %d)\">%n%s</g>%n",
                    i % COLUMNS * Chart.WIDTH,
                    height + i / COLUMNS * Chart.HEIGHT,
                    charts.get(i).toSvg()));
        }
        height += (charts.size() + COLUMNS - 1) / COLUMNS * Chart.HEIGHT;
    }

    /** The text of an SVG file. */
    public String toSvg() {
        return String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\" height=\"%2$d\""
                        + " font-family=\"system-ui, DejaVu Sans, sans-serif\">%n"
                        + "<rect width=\"%1$d\" height=\"%2$d\" fill=\"#fff\"/>%n%3$s</svg>%n",
                WIDTH,
                height,
                parts);
    }
}
