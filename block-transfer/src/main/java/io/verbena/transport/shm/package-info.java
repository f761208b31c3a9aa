/**
 * The {@code shm} transport: reads the memory files of executors whose directories this process can
 * open. Copies only: no view of a peer's memory leaves the package.
 */
package io.verbena.transport.shm;
