package io.verbena.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A JVM of this benchmark that obeys commands. Made and used by one thread; closing it ends the
 * process.
 */
final class Child implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final String name;
  private final Process process;
  private final BufferedWriter commands;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final Path log;

  private Child(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.commands =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    Thread reader = new Thread(this::readAnswers, "answers of " + name);
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts a main class on this JVM's class path.
   *
   * @param name names its log file in {@code folder}
   * @param options options of its JVM beside those that Spark needs
   */
  static Child start(
      String name, Path folder, Class<?> main, List<String> options, List<String> args)
      throws IOException {
    Files.createDirectories(folder);
    Path log = folder.resolve(name + ".log");
    List<String> command = new ArrayList<>(JavaCommand.base());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(args);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(log.toFile()).directory(folder.toFile());
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    return new Child(name, builder.start(), log);
  }

  long pid() {
    return process.pid();
  }

  /** Sends a command and returns what it answers. */
  <T> T ask(Class<T> type, Object... words) throws IOException, InterruptedException {
    List<String> texts = new ArrayList<>();
    for (Object word : words) {
      texts.add(word.toString());
    }
    String command = String.join(" ", texts);
    commands.write(command);
    commands.newLine();
    commands.flush();
    String answer = answers.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    if (answer == null || !answer.startsWith(ChildLoop.OK)) {
      throw new BenchException(
          name
              + " to \""
              + command
              + "\": "
              + why(answer)
              + "; its log is "
              + BenchFiles.logs().resolve(log.getFileName()));
    }
    return Json.parse(answer.substring(ChildLoop.OK.length()), type);
  }

  /** Does what {@link #ask} does and drops the answer. */
  void tell(Object... words) throws IOException, InterruptedException {
    ask(Object.class, words);
  }

  private static String why(String answer) {
    if (answer == null) {
      return "no answer within " + LIMIT.toSeconds() + " s";
    }
    return answer.isEmpty() ? "the process ended" : answer;
  }

  private void readAnswers() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith("@")) {
          answers.add(line);
        }
      }
    } catch (IOException e) {
      // The pipe broke: told below.
    }
    answers.add("");
  }

  @Override
  public void close() {
    try {
      commands.close();
    } catch (IOException e) {
      // It has ended already.
    }
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
