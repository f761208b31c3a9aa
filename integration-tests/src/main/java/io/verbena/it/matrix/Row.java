package io.verbena.it.matrix;

import java.util.List;
import java.util.Set;

/**
 * What came out on one version, with the jar loaded in one way.
 *
 * @param passed number of cases whose results were right
 * @param problems one line for each case that was not right, and for whatever else was not
 * @param seconds from submit to end
 * @param transports how executors read one another's blocks
 * @param falls number of falls to another transport, without those of lost executors
 */
public record Row(
    Target target,
    Loading loading,
    int passed,
    List<String> problems,
    double seconds,
    Set<String> transports,
    long falls) {}
