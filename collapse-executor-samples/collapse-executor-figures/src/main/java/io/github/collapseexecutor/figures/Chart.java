package io.github.collapseexecutor.figures;

/** A chart as an SVG of {@value #WIDTH} by {@value #HEIGHT}, which stands in a page, or in a file of its own. */
public sealed interface Chart permits LineChart, BarChart {

    /** The width, in pixels. */
    int WIDTH = 460;

    /** The height, in pixels. */
    int HEIGHT = 280;

    /** Returns the text of the SVG. */
    String toSvg();
}
