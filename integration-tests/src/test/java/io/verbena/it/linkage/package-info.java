/**
 * Resolves what classes refer to as the JVM would do it, against the jars of any version, and tells
 * what is not there. Quicker than a cluster, and complete where a test only sees what it calls.
 */
package io.verbena.it.linkage;
