package io.verbena.ping;

import java.util.List;

/**
 * By which transport a job's executors here would read those there.
 *
 * @param transport its name; empty when none works
 * @param checkedBytes bytes read by it whose checksums were right; 0 where it was not tried
 * @param passed better ones that are out
 */
record JobChoice(String transport, long checkedBytes, List<Passed> passed) {
  /** A transport that the job allows and that does not work between the two, with the reason. */
  record Passed(String transport, String reason) {}

  /** With the reasons that measuring brought to light, which know both sides. */
  JobChoice explainedBy(List<Measured> measured) {
    return new JobChoice(
        transport,
        checkedBytes,
        passed.stream()
            .map(
                each ->
                    measured.stream()
                        .filter(other -> other.name().equals(each.transport()) && !other.works())
                        .findFirst()
                        .map(other -> new Passed(each.transport(), other.reason()))
                        .orElse(each))
            .toList());
  }
}
