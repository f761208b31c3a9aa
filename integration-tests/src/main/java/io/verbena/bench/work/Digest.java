package io.verbena.bench.work;

/**
 * What a job's result comes to, to compare sides by.
 *
 * @param records number of records or rows of the result
 * @param sum over all of them, whatever their order
 * @param sorted whether keys came in ascending order in every partition
 */
public record Digest(long records, long sum, boolean sorted) {}
