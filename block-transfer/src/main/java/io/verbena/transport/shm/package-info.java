/**
 * The {@code shm} transport: reads the memory files of executors whose directories this process can
 * open. Copies only: no view of a peer's memory leaves the package.
 *
 * <p>Memory with small pages is read with {@code pread}, not through a mapping: on a virtual
 * machine the first touch of a mapping ran at 1.0 to 1.7 GB/s, {@code pread} at 5 to 7. With huge
 * pages the first touch gave 13 to 22 and {@code pread} 20, but a mapping has no cost by the block.
 * Every reading thread takes an open file of its own, because Java closes the channel of a thread
 * that is interrupted.
 */
package io.verbena.transport.shm;
