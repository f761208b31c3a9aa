package io.verbena.log;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.event.Level;

/**
 * A logger of SLF4J whose arguments may be {@link Keyed}. The text is what it would be without
 * keys; they are in the diagnostic context (MDC) while the line is logged, which is what Spark's
 * structured logging writes. Key-value pairs of SLF4J's fluent calls would do the same with Log4j
 * 2, but other implementations put them into the text.
 *
 * <p>Threads: any.
 */
public final class KeyedLogger {
  private final Logger logger;

  private KeyedLogger(Logger logger) {
    this.logger = logger;
  }

  /** The logger of a class. */
  public static KeyedLogger of(Class<?> owner) {
    return new KeyedLogger(LoggerFactory.getLogger(owner));
  }

  /** A defect of this software. */
  public void error(String format, Object... arguments) {
    log(Level.ERROR, format, arguments);
  }

  /** Something that somebody may have to mend; the text says how. */
  public void warn(String format, Object... arguments) {
    log(Level.WARN, format, arguments);
  }

  /** What was chosen, and what changed. */
  public void info(String format, Object... arguments) {
    log(Level.INFO, format, arguments);
  }

  /** For developers. */
  public void debug(String format, Object... arguments) {
    log(Level.DEBUG, format, arguments);
  }

  private void log(Level level, String format, Object[] arguments) {
    if (!logger.isEnabledForLevel(level)) {
      return;
    }
    List<Keyed> keyed = new ArrayList<>();
    List<Object> plain = new ArrayList<>();
    for (Object argument : arguments) {
      if (argument instanceof Keyed named) {
        keyed.add(named);
        if (named.inText()) {
          plain.add(named.value());
        }
      } else {
        plain.add(argument);
      }
    }
    // What the application has put there itself comes back.
    Map<String, String> before = new HashMap<>();
    for (Keyed named : keyed) {
      String key = named.key().key();
      if (!before.containsKey(key)) {
        before.put(key, MDC.get(key));
      }
      MDC.put(key, String.valueOf(named.value()));
    }
    try {
      write(level, format, plain.toArray());
    } finally {
      before.forEach(KeyedLogger::restore);
    }
  }

  private void write(Level level, String format, Object[] arguments) {
    switch (level) {
      case ERROR -> logger.error(format, arguments);
      case WARN -> logger.warn(format, arguments);
      case INFO -> logger.info(format, arguments);
      default -> logger.debug(format, arguments);
    }
  }

  private static void restore(String key, String before) {
    if (before == null) {
      MDC.remove(key);
    } else {
      MDC.put(key, before);
    }
  }
}
