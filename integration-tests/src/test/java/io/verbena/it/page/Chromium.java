package io.verbena.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.cluster.ManagedProcess;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/** A browser without a window, started anew for each page. */
final class Chromium {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String NAME = "chromium";

  private final Path program;
  private final Path folder;
  private int runs;

  private Chromium(Path program, Path folder) {
    this.program = program;
    this.folder = folder;
  }

  /**
   * The one on the path.
   *
   * @param folder for its profiles and output
   */
  static Optional<Chromium> find(Path folder) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .map(entry -> Path.of(entry, NAME))
        .filter(Files::isExecutable)
        .findFirst()
        .map(program -> new Chromium(program, folder));
  }

  /** The document as it is once the page has been loaded and its scripts have run. */
  String document(String url) throws Exception {
    return run(url, List.of("--dump-dom"));
  }

  /** The page as it is seen; the picture is left in the file. */
  BufferedImage screenshot(String url, int width, int height, Path file) throws Exception {
    Files.createDirectories(file.getParent());
    run(url, List.of("--window-size=" + width + "," + height, "--screenshot=" + file));
    BufferedImage image = ImageIO.read(file.toFile());
    assertThat(image.getWidth()).isEqualTo(width);
    return image;
  }

  private String run(String url, List<String> options) throws IOException, InterruptedException {
    Path own = folder.resolve("chromium-" + runs++);
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(
        List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--user-data-dir=" + own.resolve("profile")));
    command.addAll(options);
    command.add(url);
    ManagedProcess browser = ManagedProcess.start(NAME, own, command, Map.of());
    try {
      assertThat(browser.waitFor(LIMIT)).as("exit code, see " + browser.stderr()).hasValue(0);
    } finally {
      browser.endTree();
    }
    return Files.readString(browser.stdout());
  }
}
