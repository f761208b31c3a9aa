/**
 * Microbenchmarks of the engine's hot paths, each beside what memory and checksums cost by
 * themselves on the same machine. Run by {@code bin/bench micro}.
 */
package io.verbena.bench.micro;
