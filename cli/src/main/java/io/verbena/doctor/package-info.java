/**
 * Looks at a host and tells whether the shuffle will work there: one class a subject, each of which
 * gives findings. Reads and tries, changes nothing. What is to be seen comes through {@link
 * io.verbena.doctor.Host} alone, so that tests can make hosts up.
 */
package io.verbena.doctor;
