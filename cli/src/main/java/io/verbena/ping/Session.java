package io.verbena.ping;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;

/** One ping, as {@code serve} sees it. Runs on a thread of its own. */
final class Session {
  private static final Duration INTRODUCTION = Duration.ofSeconds(10);
  // Longer than ping reads before it says a word.
  private static final Duration SILENCE = Duration.ofMinutes(5);

  private final Link link;
  private final Introduction introduction;
  private final Supplier<Welcome> welcome;

  Session(Link link, Introduction introduction, Supplier<Welcome> welcome) {
    this.link = link;
    this.introduction = introduction;
    this.welcome = welcome;
  }

  /** Goes on until the other says that it has done. */
  void run() throws IOException {
    link.within(
        INTRODUCTION,
        (in, out) -> {
          introduction.serve(in, out, welcome);
          return null;
        });
    boolean more = true;
    while (more) {
      more = link.within(SILENCE, Yardstick::serve);
    }
  }
}
