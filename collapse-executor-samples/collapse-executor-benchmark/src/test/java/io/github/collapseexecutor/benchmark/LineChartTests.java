package io.github.collapseexecutor.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The chart is an SVG file in which points stand where their values are. */
class LineChartTests {

    private final LineChart chart = new LineChart(
            "Title",
            "x",
            "y",
            List.of(
                    new LineChart.Line(
                            "measured",
                            false,
                            List.of(
                                    new LineChart.Point(1, 10),
                                    new LineChart.Point(10, 100),
                                    new LineChart.Point(100, 1_000))),
                    new LineChart.Line(
                            "reference", true, List.of(new LineChart.Point(1, 1), new LineChart.Point(100, 1)))));

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<Element> elements(Document svg, String name) {
        NodeList nodes = svg.getElementsByTagName(name);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> (Element) nodes.item(i))
                .toList();
    }

    @Test
    void measuredValuesHavePointsAtEqualStepsForEqualFactors() throws Exception {
        List<Element> points = elements(parse(chart.toSvg()), "circle");
        assertThat(points.stream().map(point -> point.getAttribute("cx"))).containsExactly("80.0", "360.0", "640.0");
        assertThat(points.stream().map(point -> point.getAttribute("cy"))).containsExactly("270.0", "160.0", "50.0");
    }

    @Test
    void aReferenceIsDashed() throws Exception {
        assertThat(elements(parse(chart.toSvg()), "polyline").stream()
                        .map(line -> line.getAttribute("class"))
                        .distinct())
                .containsExactly("", "reference");
    }

    @Test
    void axesAndLinesAreNamed() throws Exception {
        assertThat(elements(parse(chart.toSvg()), "text").stream().map(Element::getTextContent))
                .contains("Title", "x", "y", "1", "10", "100", "1 000", "measured", "reference");
    }
}
