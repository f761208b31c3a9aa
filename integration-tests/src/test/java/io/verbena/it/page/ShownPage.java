package io.verbena.it.page;

import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
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
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();

  /** What a server answers; empty when it has no such page yet. */
  static Optional<ShownPage> at(String url) {
    try {
      HttpResponse<String> answer =
          CLIENT.send(
              HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(60)).build(),
              HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() == 200
          ? Optional.of(new ShownPage(answer.body()))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
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
