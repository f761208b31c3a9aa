package io.verbena.log;

/**
 * An argument of a log line with its name.
 *
 * @param key its name
 * @param value its value
 * @param inText whether a placeholder of the text stands for it
 */
public record Keyed(LogKey key, Object value, boolean inText) {}
