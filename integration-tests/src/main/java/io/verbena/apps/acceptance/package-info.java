/**
 * An application that uses a shuffle in every way that Spark has, case by case, and prints what
 * came out. It has to link with every supported version of Spark and Scala: Java's API alone, and
 * what differs by reflection in {@link io.verbena.apps.acceptance.Inside}.
 */
package io.verbena.apps.acceptance;
