package io.verbena.it.suites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/** Reads reports in JUnit's XML format, as ScalaTest and JUnit's console write them. */
final class JunitReports {
  private JunitReports() {}

  /**
   * All cases of all reports in a folder.
   *
   * @throws IOException when one cannot be read, is no such report, or there is none
   */
  static List<TestCase> read(Path folder) throws IOException {
    List<Path> reports;
    try (Stream<Path> files = Files.list(folder)) {
      reports =
          files.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml")).toList();
    }
    if (reports.isEmpty()) {
      throw new IOException("no report TEST-*.xml in " + folder);
    }
    List<TestCase> cases = new ArrayList<>();
    for (Path report : reports) {
      cases.addAll(readOne(report));
    }
    return cases;
  }

  private static List<TestCase> readOne(Path report) throws IOException {
    List<TestCase> cases = new ArrayList<>();
    try {
      NodeList elements =
          parser().parse(report.toFile()).getDocumentElement().getElementsByTagName("testcase");
      for (int i = 0; i < elements.getLength(); i++) {
        cases.add(testCase((Element) elements.item(i), report));
      }
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("cannot read " + report + ": " + e.getMessage(), e);
    }
    return cases;
  }

  private static DocumentBuilder parser() throws ParserConfigurationException {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    DocumentBuilder parser = factory.newDocumentBuilder();
    // Its own would print to standard error what is thrown as well.
    parser.setErrorHandler(new DefaultHandler());
    return parser;
  }

  private static TestCase testCase(Element element, Path report) throws IOException {
    String name = element.getAttribute("name");
    if (name.isEmpty()) {
      throw new IOException(report + ": a testcase without a name");
    }
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element child) {
        switch (child.getTagName()) {
          case "failure", "error" -> {
            return new TestCase(name, TestCase.Outcome.FAILED, message(child));
          }
          case "skipped" -> {
            return new TestCase(name, TestCase.Outcome.SKIPPED, "");
          }
          default -> {}
        }
      }
    }
    return new TestCase(name, TestCase.Outcome.PASSED, "");
  }

  private static String message(Element failure) {
    String message = failure.getAttribute("message");
    if (message.isBlank()) {
      message = failure.getTextContent();
    }
    return message.strip().lines().findFirst().orElse("no message");
  }
}
