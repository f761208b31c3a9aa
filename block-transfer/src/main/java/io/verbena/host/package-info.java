/**
 * What the operating system tells about this host: files of {@code /proc}, {@code /sys} and {@code
 * /dev}, and file systems. Read below a root folder, so that tests can make hosts up. Knows nothing
 * of the rest of the engine, and does not log: callers say what a fact means.
 */
package io.verbena.host;
