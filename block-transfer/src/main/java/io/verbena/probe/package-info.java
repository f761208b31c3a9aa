/**
 * READs between two processes without Spark, for tools and benchmarks: memory to be read, and loops
 * that read it. All of it is the engine's own; nothing here talks over a network by itself.
 */
package io.verbena.probe;
