/** Test harness. */
package io.verbena.it;
