package io.verbena.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests on made-up hosts have in common. */
abstract class DoctorFixture {
  @TempDir Path root;
  MadeUpHost host;

  @BeforeEach
  void begin() {
    host = new MadeUpHost(root);
  }

  /** The worst finding of a check. */
  static Finding worst(Report report, String check) {
    return report.findings().stream()
        .filter(finding -> finding.check().equals(check))
        .max((a, b) -> a.level().compareTo(b.level()))
        .orElseThrow(() -> new AssertionError("no finding " + check + " in\n" + report.text("")));
  }

  static void assertFinding(
      Report report, String check, Level level, String seen, String needed, String mend) {
    Finding finding = worst(report, check);
    assertThat(finding.level()).as(report.text("test")).isEqualTo(level);
    assertThat(finding.seen()).contains(seen);
    assertThat(finding.needed()).contains(needed);
    assertThat(finding.mend()).contains(mend);
  }

  static void assertAllWell(Report report) {
    assertThat(report.exitCode()).as(report.text("test")).isZero();
  }

  static void assertNoVerbs(Report report, String reason) {
    assertThat(report.otherHosts().transport()).isEqualTo("netty");
    assertThat(report.otherHosts().passed())
        .singleElement()
        .satisfies(
            passed -> {
              assertThat(passed.transport()).isEqualTo("verbs");
              assertThat(passed.reason()).contains(reason);
            });
  }
}
