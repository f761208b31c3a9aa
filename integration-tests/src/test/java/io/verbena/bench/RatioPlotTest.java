package io.verbena.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.verbena.bench.work.Digest;
import io.verbena.bench.work.Size;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The picture of the ratios, read back as XML. */
final class RatioPlotTest {
  private static JobRow row(double... verbenaSeconds) {
    JobRow row = new JobRow("sort", new Size(8, 64, 1_000));
    for (double seconds : verbenaSeconds) {
      row.cell(JobSide.VERBENA).rounds.add(measured(seconds));
      row.cell(JobSide.SPARK).rounds.add(measured(1));
      row.cell(JobSide.SPARK_NETWORK).rounds.add(measured(2));
    }
    return row;
  }

  private static Measured measured(double seconds) {
    return new Measured(
        new JobRun(seconds, TaskTotals.NONE),
        new Digest(1, 1, true),
        new Measured.ProcessCpu(seconds, 0, 0),
        0,
        List.of());
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<String> texts(Document svg) {
    NodeList nodes = svg.getElementsByTagName("text");
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent());
    }
    return texts;
  }

  private static double x(Document svg, int circle) {
    return Double.parseDouble(
        ((Element) svg.getElementsByTagName("circle").item(circle)).getAttribute("cx"));
  }

  /** Where the axis has its line for 1, the only black one. */
  private static double one(Document svg) {
    NodeList lines = svg.getElementsByTagName("line");
    for (int i = 0; i < lines.getLength(); i++) {
      Element line = (Element) lines.item(i);
      if (line.getAttribute("stroke").equals("black")) {
        return Double.parseDouble(line.getAttribute("x1"));
      }
    }
    throw new AssertionError("no line for 1");
  }

  @Test
  void everyOpponentHasARowWithItsRatioAndBounds() throws Exception {
    Document svg = parse(RatioPlot.svg(List.of(row(0.5, 0.4, 0.6, 0.45, 0.55)), "a < b & c"));
    assertThat(texts(svg))
        .contains("sort, 64 reduces", "Spark default", "Spark network", "a < b & c")
        .contains("0.50 [0.40 to 0.60]", "0.25 [0.20 to 0.30]")
        .containsOnlyOnce("sort, 64 reduces");
    assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(2);
  }

  @Test
  void halfAndDoubleAreAsFarFromOne() throws Exception {
    Document svg = parse(RatioPlot.svg(List.of(row(0.5), row(2)), ""));
    double one = one(svg);
    assertThat(one - x(svg, 0)).isPositive().isCloseTo(x(svg, 2) - one, within(0.2));
    // Against the network the second is 1, on the line.
    assertThat(x(svg, 3)).isCloseTo(one, within(0.2));
  }

  @Test
  void onlyBoundsOnOneSideOfOneAreColoured() throws Exception {
    assertThat(colour(0.5, 0.5, 0.5, 0.5, 0.9)).isEqualTo("#1b7837");
    assertThat(colour(1.5, 1.5, 1.5, 1.5, 1.1)).isEqualTo("#b2182b");
    assertThat(colour(0.5, 0.5, 0.5, 0.5, 1.1)).isEqualTo("#555555");
    assertThat(colour(0.5, 0.5)).as("too few pairs").isEqualTo("#555555");
  }

  /** Of the mark against Spark's own, which takes 1 s. */
  private static String colour(double... verbenaSeconds) throws Exception {
    Document svg = parse(RatioPlot.svg(List.of(row(verbenaSeconds)), ""));
    return ((Element) svg.getElementsByTagName("circle").item(0)).getAttribute("fill");
  }

  @Test
  void nothingToCompareIsAnEmptyPicture() throws Exception {
    assertThat(parse(RatioPlot.svg(List.of(), "")).getElementsByTagName("circle").getLength())
        .isZero();
  }
}
