package io.verbena.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What kind of machine a figure comes from.
 *
 * @param cpu processor's name
 * @param cores cores that this process may use
 * @param memoryGib memory of the machine, GiB
 * @param kernel kernel release
 * @param java version of the Java runtime
 * @param shmHugePages kernel's setting of huge pages in shared memory
 * @param loadAverage of the last minute when the run began
 */
record Machine(
    @JsonProperty String cpu,
    @JsonProperty int cores,
    @JsonProperty double memoryGib,
    @JsonProperty String kernel,
    @JsonProperty String java,
    @JsonProperty String shmHugePages,
    @JsonProperty double loadAverage) {

  static Machine here() {
    return new Machine(
        field("/proc/cpuinfo", "model name"),
        Runtime.getRuntime().availableProcessors(),
        Math.round(kib(field("/proc/meminfo", "MemTotal")) / 104857.6) / 10.0,
        System.getProperty("os.version"),
        Runtime.version().toString(),
        bracketed(read("/sys/kernel/mm/transparent_hugepage/shmem_enabled")),
        load());
  }

  String line() {
    return String.format(
        Locale.ROOT,
        "%s, %d cores, %.1f GiB, kernel %s, Java %s, huge pages in shared memory: %s,"
            + " load average %.2f",
        cpu,
        cores,
        memoryGib,
        kernel,
        java,
        shmHugePages,
        loadAverage);
  }

  private static String field(String file, String name) {
    for (String line : read(file).lines().toList()) {
      int colon = line.indexOf(':');
      if (colon > 0 && line.substring(0, colon).strip().equals(name)) {
        return line.substring(colon + 1).strip();
      }
    }
    return "unknown";
  }

  private static double kib(String value) {
    return value.endsWith(" kB") ? Long.parseLong(value.substring(0, value.length() - 3)) : 0;
  }

  private static String bracketed(String choices) {
    List<String> words = List.of(choices.split("\\s+"));
    return words.stream().filter(word -> word.startsWith("[")).findFirst().orElse("unknown");
  }

  private static double load() {
    String text = read("/proc/loadavg");
    return text.isEmpty() ? Double.NaN : Double.parseDouble(text.substring(0, text.indexOf(' ')));
  }

  private static String read(String file) {
    try {
      return new String(Files.readAllBytes(Path.of(file)), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }
}
