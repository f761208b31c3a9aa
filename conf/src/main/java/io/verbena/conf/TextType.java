package io.verbena.conf;

import java.util.regex.Pattern;

/**
 * A text of one form, or nothing.
 *
 * @param name of the type
 * @param form what the text is, as a noun phrase
 * @param pattern what it looks like
 */
record TextType(String name, String form, Pattern pattern) implements ValueType<String> {
  static TextType of(String name, String form, String pattern) {
    return new TextType(name, form, Pattern.compile(pattern));
  }

  @Override
  public String allowed() {
    return form + ", or nothing";
  }

  @Override
  public boolean allowsEmpty() {
    return true;
  }

  @Override
  public Parsed<String> parse(String text) {
    return text.isEmpty() || pattern.matcher(text).matches()
        ? Parsed.value(text)
        : Parsed.fault("not " + form, "give one, or leave the key out");
  }
}
