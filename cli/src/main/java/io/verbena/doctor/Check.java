package io.verbena.doctor;

import java.util.List;

/** Looks at one subject. */
@FunctionalInterface
interface Check {
  List<Finding> look(Host host, Job job);
}
