/** Tests that what the pages of {@code docs/} say is so. */
package io.verbena.it.docs;
