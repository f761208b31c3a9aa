package io.verbena.it.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * What a web server answers; redirections are followed.
 *
 * @param status HTTP's, such as 200
 * @param text the body
 */
public record WebPage(int status, String text) {
  private static final int OK = 200;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();

  /** Asks once; empty when nobody answers. */
  public static Optional<WebPage> at(String url) {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(LIMIT).build();
    try {
      HttpResponse<String> answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
      return Optional.of(new WebPage(answer.statusCode(), answer.body()));
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Whoever waits for the page will notice.
      return Optional.empty();
    }
  }

  /** Whether it is what was asked for. */
  public boolean found() {
    return status == OK;
  }
}
