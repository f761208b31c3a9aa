/**
 * The {@code shm} transport: reads the memory files of executors whose directories this process can
 * open. Copies only: no view of a peer's memory leaves the package.
 *
 * <p>New memory is read with {@code pread}, not through a mapping, while its pages are small: on a
 * virtual machine the first touch of a mapping ran at 1.0 to 1.4 GB/s, {@code pread} at 5 to 7, a
 * mapping touched before at 15 to 17. Every reading thread takes an open file of its own, because
 * Java closes the channel of a thread that is interrupted.
 */
package io.verbena.transport.shm;
