/**
 * One-sided transports: a connection to a peer's memory, READs into local slices, completions. A
 * transport knows regions and offsets, never shuffles or blocks. No view of a peer's memory leaves
 * this package.
 */
package io.verbena.transport;
