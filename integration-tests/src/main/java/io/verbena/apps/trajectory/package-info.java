/**
 * An ordinary Spark application: mean squared displacement and radial distribution function of a
 * molecular dynamics trajectory.
 *
 * <p>It knows nothing of the shuffle that carries it and nothing of Verbena: it must run on Spark's
 * own shuffle too, and print the same.
 *
 * <p>Results are the same to the last bit whatever the shuffle, the partitions or the order in
 * which tasks end. What is summed within an atom or a frame is summed in the order of time, which
 * the shuffle's sorting fixes; what is summed across tasks is a whole number (pairs) or an {@code
 * ExactSum} (displacements), and neither rounds. Each pair of atoms is seen from the same cell with
 * the same shift, so its distance is always the same double.
 */
package io.verbena.apps.trajectory;
