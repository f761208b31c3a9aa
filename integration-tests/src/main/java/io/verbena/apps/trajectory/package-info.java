/**
 * An ordinary Spark application: mean squared displacement and radial distribution function of a
 * molecular dynamics trajectory.
 *
 * <p>It knows nothing of the shuffle that carries it and nothing of Verbena: it must run on Spark's
 * own shuffle too, and print the same.
 */
package io.verbena.apps.trajectory;
