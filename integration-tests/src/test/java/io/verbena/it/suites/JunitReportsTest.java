package io.verbena.it.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.it.suites.TestCase.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JunitReportsTest {
  @TempDir private Path folder;

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  @Test
  void casesOfAllReportsAreRead() throws Exception {
    write(
        "TEST-a.xml",
        """
        <?xml version="1.0" encoding="UTF-8" ?>
        <testsuite errors="0" failures="1" name="a" tests="3">
          <properties><property name="java.version" value="17"/></properties>
          <testcase name="sorts &lt;all&gt;" classname="a" time="0.1"></testcase>
          <testcase name="joins" classname="a" time="0.1">
            <failure message="1 did not equal 2" type="x">at line 1
        at line 2</failure>
          </testcase>
          <testcase name="waits" classname="a" time="0"><skipped></skipped></testcase>
          <system-out><![CDATA[<testcase name="none"/>]]></system-out>
        </testsuite>
        """);
    write(
        "TEST-b.xml",
        """
        <testsuite><testcase name="ends()"><system-out>text</system-out>
        <error type="y">java.io.IOException: gone
        at line 3</error></testcase></testsuite>
        """);
    write("other.xml", "<testsuite>");
    assertThat(JunitReports.read(folder))
        .containsExactlyInAnyOrder(
            new TestCase("sorts <all>", Outcome.PASSED, ""),
            new TestCase("joins", Outcome.FAILED, "1 did not equal 2"),
            new TestCase("waits", Outcome.SKIPPED, ""),
            new TestCase("ends()", Outcome.FAILED, "java.io.IOException: gone"));
  }

  @Test
  void folderWithoutReportIsAnError() {
    assertThatThrownBy(() -> JunitReports.read(folder))
        .isInstanceOf(IOException.class)
        .hasMessage("no report TEST-*.xml in " + folder);
  }

  @Test
  void reportThatIsCutOffIsAnErrorWithItsName() throws Exception {
    write("TEST-a.xml", "<testsuite><testcase name=\"a\"/>");
    assertThatThrownBy(() -> JunitReports.read(folder))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("cannot read " + folder.resolve("TEST-a.xml") + ": ");
  }

  @Test
  void entitiesOfADocumentTypeAreRefused() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "text");
    write(
        "TEST-a.xml",
        """
        <!DOCTYPE testsuite [<!ENTITY e SYSTEM "%s">]>
        <testsuite><testcase name="a"><failure>&e;</failure></testcase></testsuite>
        """
            .formatted(secret.toUri()));
    assertThatThrownBy(() -> JunitReports.read(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("DOCTYPE");
  }

  @Test
  void caseWithoutNameIsAnError() throws Exception {
    write("TEST-a.xml", "<testsuite><testcase/></testsuite>");
    assertThatThrownBy(() -> JunitReports.read(folder)).hasMessageContaining("without a name");
  }
}
