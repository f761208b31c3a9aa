package io.verbena.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class PageHtmlTest {
  private static final int MEGABYTE = 1_000_000;

  /** The page is well-formed XML too, which browsers need not have but mistakes would show. */
  private static Document parsed(String html) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader("<page>" + html + "</page>")));
  }

  private static String page(ShuffleState state) throws IOException {
    String html = PageHtml.of(state.snapshot());
    // To be looked at: -Dverbena.pages=FOLDER.
    String folder = System.getProperty("verbena.pages");
    if (folder != null) {
      int rows = state.snapshot().rows().size();
      Files.writeString(Path.of(folder, "page-" + rows + ".html"), html);
    }
    return html;
  }

  private static Element byId(Document document, String name, String id) {
    NodeList all = document.getElementsByTagName(name);
    for (int i = 0; i < all.getLength(); i++) {
      if (((Element) all.item(i)).getAttribute("id").equals(id)) {
        return (Element) all.item(i);
      }
    }
    throw new AssertionError("no " + name + " with id " + id);
  }

  private static int count(Element element, String name) {
    return element.getElementsByTagName(name).getLength();
  }

  @Test
  void aPageWithoutFiguresSaysWhenTheyCome() {
    assertThat(PageHtml.of(new ShuffleState().snapshot())).contains("first tasks");
  }

  @Test
  void ofTwoExecutorsAllIsNamed() throws Exception {
    ShuffleState state = SimulatedCluster.state(2, SimulatedCluster::transport);
    state.executorEnded("1", "worker lost");

    String html = page(state);
    Document page = parsed(html);
    Element matrix = byId(page, "table", "rdma-matrix");
    assertThat(matrix.getTextContent().replace('\u00a0', ' '))
        .isEqualTo("reads \\ from010 local shm1 shm local");
    Element table = byId(page, "table", "rdma-executors");
    assertThat(count(table, "tr")).isEqualTo(3);
    assertThat(table.getTextContent()).contains("node-0.cluster", "running", "gone", "of 4.0 GiB");
    assertThat(html).contains("title=\"worker lost\"");
    assertThat(count(byId(page, "svg", "rdma-throughput"), "path")).isEqualTo(2 + 5);
  }

  @Test
  void twoHundredExecutorsFitIntoAMegabyte() throws Exception {
    String html = page(SimulatedCluster.state(200, SimulatedCluster::transport));

    Document page = parsed(html);
    assertThat(html).hasSizeLessThan(MEGABYTE / 2);
    assertThat(count(byId(page, "table", "rdma-executors"), "tr")).isEqualTo(201);
    Element matrix = byId(page, "svg", "rdma-matrix");
    assertThat(count(matrix, "g")).isEqualTo(200);
    assertThat(matrix.getTextContent()).contains("executor 60 reads by netty: 0,1,2");
    assertThat(byId(page, "p", "rdma-legend").getTextContent())
        .contains("local", "netty", "shm", "verbs");
  }

  @Test
  void twoHundredExecutorsFitIntoAMegabyteWhenNoNeighboursAreAlike() throws Exception {
    String html =
        PageHtml.of(
            SimulatedCluster.state(200, (reader, owner) -> owner % 2 == 0 ? "shm" : "netty")
                .snapshot());

    parsed(html);
    assertThat(html).hasSizeLessThan(MEGABYTE);
  }

  @Test
  void aThousandExecutorsAreCutAndItSaysSo() throws Exception {
    ShuffleState state = new ShuffleState();
    ObjectNode[] rows = new ObjectNode[1_000];
    for (int id = 0; id < rows.length; id++) {
      rows[id] = SimulatedCluster.executor(id, 2, 1_000, SimulatedCluster::transport);
    }
    state.apply(SimulatedCluster.event(0, rows));
    state.executorEnded("0", "idle");

    String html = PageHtml.of(state.snapshot());
    Document page = parsed(html);
    Element table = byId(page, "table", "rdma-executors");
    assertThat(count(table, "tr")).isEqualTo(1 + PageHtml.MOST_ROWS);
    assertThat(table.getTextContent()).doesNotContain("gone");
    assertThat(html)
        .contains(PageHtml.MOST_ROWS + " of 1000 executors", "newest 256 executors of 1000")
        .hasSizeLessThan(MEGABYTE);
  }

  @Test
  void whatComesFromOutsideIsText() throws Exception {
    String hostile = "<script>alert('x')</script>\"'&\u0001<img src=x onerror=alert(1)>";
    ObjectNode row = SimulatedCluster.executor(1, 2, 1_000, (reader, owner) -> hostile);
    row.put("executor", hostile).put("host", hostile).put("poolBacking", hostile);
    row.putObject("falls").put(hostile, 3);
    ShuffleState state = new ShuffleState();
    state.apply(SimulatedCluster.event(0, row));
    state.apply(SimulatedCluster.event(10, row));
    for (int id = 0; id < 14; id++) {
      state.apply(
          SimulatedCluster.event(
              20, SimulatedCluster.executor(id, 14, 1_000, (reader, owner) -> hostile)));
    }
    state.executorEnded(hostile, hostile);

    String html = PageHtml.of(state.snapshot());
    Document page = parsed(html);
    assertThat(html).doesNotContain("<script", "<img", "\u0001");
    assertThat(page.getElementsByTagName("img").getLength()).isZero();
    assertThat(page.getDocumentElement().getTextContent()).contains("<script>alert('x')</script>");
    for (int i = 0; i < page.getElementsByTagName("*").getLength(); i++) {
      Element element = (Element) page.getElementsByTagName("*").item(i);
      for (int a = 0; a < element.getAttributes().getLength(); a++) {
        assertThat(element.getAttributes().item(a).getNodeName().toLowerCase(Locale.ROOT))
            .doesNotStartWith("on");
      }
    }
  }

  @Test
  void nothingIsLoadedFromElsewhereAndNothingRuns() {
    String html = PageHtml.of(SimulatedCluster.state(20, SimulatedCluster::transport).snapshot());

    assertThat(html).doesNotContain("http", "src=", "href=", "<script", "javascript");
  }
}
