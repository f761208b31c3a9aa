package io.verbena.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Records to JSON and back, with the library that Spark brings. */
final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  /** One line. */
  static String line(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  static <T> T parse(String line, Class<T> type) {
    try {
      return MAPPER.readValue(line, type);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("not a " + type.getSimpleName() + ": " + line, e);
    }
  }

  /** Writes an indented file; makes its folder. */
  static void write(Path file, Object value) throws IOException {
    Files.createDirectories(file.getParent());
    MAPPER.writer().with(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), value);
  }
}
