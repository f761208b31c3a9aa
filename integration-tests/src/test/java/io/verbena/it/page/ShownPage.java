package io.verbena.it.page;

import io.verbena.it.cluster.WebPage;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/**
 * The page "RDMA Shuffle" as a server gave it.
 *
 * @param html all of it
 */
record ShownPage(String html) {
  static final String PATH = "/rdma-shuffle/";

  /** What a server answers; empty when it has no such page yet. */
  static Optional<ShownPage> at(String url) {
    return WebPage.at(url).filter(WebPage::found).map(page -> new ShownPage(page.text()));
  }

  /** The table's rows, their cells by heading; sizes are in bytes. */
  List<Map<String, String>> executors() throws Exception {
    List<List<Element>> rows = rows("rdma-executors");
    List<Map<String, String>> executors = new ArrayList<>();
    for (List<Element> row : rows.subList(Math.min(1, rows.size()), rows.size())) {
      Map<String, String> cells = new LinkedHashMap<>();
      for (int i = 0; i < row.size(); i++) {
        String sorted = row.get(i).getAttribute("sorttable_customkey");
        cells.put(text(rows.get(0).get(i)), sorted.isEmpty() ? text(row.get(i)) : sorted);
      }
      executors.add(cells);
    }
    return executors;
  }

  /** The small matrix, line by line. */
  List<String> matrix() throws Exception {
    return rows("rdma-matrix").stream()
        .map(row -> String.join(" ", row.stream().map(ShownPage::text).toList()))
        .toList();
  }

  private List<List<Element>> rows(String id) throws Exception {
    int start = html.indexOf("<table id=\"" + id + "\"");
    if (start < 0) {
      return List.of();
    }
    String table = html.substring(start, html.indexOf("</table>", start) + "</table>".length());
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(table)));
    List<List<Element>> rows = new ArrayList<>();
    for (Element row : elements(document.getElementsByTagName("tr"))) {
      rows.add(elements(row.getChildNodes()));
    }
    return rows;
  }

  private static List<Element> elements(NodeList nodes) {
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      if (nodes.item(i) instanceof Element element) {
        elements.add(element);
      }
    }
    return elements;
  }

  private static String text(Element element) {
    return element.getTextContent().replace('\u00a0', ' ').replaceAll("\\s+", " ").strip();
  }
}
