package io.verbena.conf;

import java.io.Serializable;

/**
 * One thing that is wrong with a configuration.
 *
 * @param key full key
 * @param value what was given
 * @param fault what is wrong with it
 * @param allowed what may be given, or empty when that is not the point
 * @param remedy what to do
 */
public record Problem(String key, String value, String fault, String allowed, String remedy)
    implements Serializable {

  @Override
  public String toString() {
    return key
        + "="
        + value
        + ": "
        + fault
        + (allowed.isEmpty() ? "" : "; allowed: " + allowed)
        + "; "
        + remedy;
  }
}
