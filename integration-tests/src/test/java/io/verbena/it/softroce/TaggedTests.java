package io.verbena.it.softroce;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs the tests of one tag where Maven would be slow, in a virtual machine. Its arguments are the
 * tag and the fewest tests that there must be.
 */
public final class TaggedTests {
  private static final String PACKAGE = "io.verbena";

  private TaggedTests() {}

  /** Says what each test came to. */
  private static final class Progress implements TestExecutionListener {
    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (test.isTest()) {
        System.out.println(result.getStatus() + " " + test.getDisplayName());
      }
    }
  }

  public static void main(String[] args) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectPackage(PACKAGE))
            .filters(TagFilter.includeTags(args[0]))
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, listener, new Progress());
    TestExecutionSummary summary = listener.getSummary();
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    summary.printFailuresTo(out);
    long succeeded = summary.getTestsSucceededCount();
    out.println(succeeded + " of " + summary.getTestsFoundCount() + " tests succeeded");
    boolean all =
        succeeded == summary.getTestsFoundCount()
            && summary.getTotalFailureCount() == 0
            && succeeded >= Integer.parseInt(args[1]);
    System.exit(all ? 0 : 1);
  }
}
