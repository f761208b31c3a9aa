package io.verbena.transport.verbs;

import io.verbena.store.ShuffleStore;
import io.verbena.store.StoreSettings;
import io.verbena.transport.UnreachableException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Tries the {@code verbs} transport on this host: opens the device as an executor would and reads
 * memory of this process through it.
 *
 * @param device what executors would use
 * @param address where peers would connect to
 */
public record VerbsTrial(DeviceInfo device, String address) {
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final String NAME = "verbs-trial";

  /**
   * Runs the trial, which takes some tens of milliseconds where nothing is wrong.
   *
   * @param host name or address of this host: its device is preferred
   * @param device as {@code spark.shuffle.rdma.verbs.device}, empty for any
   * @param address as {@code spark.shuffle.rdma.verbs.address}, empty for any
   * @throws VerbsUnavailableException when the device cannot be opened; says what helps
   * @throws IOException when it cannot be read through; says what failed
   */
  public static VerbsTrial run(String host, String device, String address)
      throws VerbsUnavailableException, IOException {
    VerbsSettings settings =
        new VerbsSettings(
            host,
            device,
            address,
            64,
            DEADLINE,
            DEADLINE,
            Duration.ZERO,
            NAME.getBytes(StandardCharsets.UTF_8),
            List.of());
    try (VerbsTransport transport = VerbsTransport.open(settings)) {
      readOwnMemory(transport);
      return new VerbsTrial(transport.device(), String.join(", ", transport.addresses()));
    }
  }

  private static void readOwnMemory(VerbsTransport transport) throws IOException {
    Path folder = Files.createTempDirectory(NAME + "-");
    try (ShuffleStore store = ShuffleStore.open(storeSettings(folder, transport))) {
      transport.connect("of this process", store.descriptor()).close();
    } catch (UnreachableException e) {
      throw new IOException(e.getMessage(), e);
    } finally {
      Files.delete(folder);
    }
  }

  private static StoreSettings storeSettings(Path folder, VerbsTransport transport) {
    return new StoreSettings(
        NAME,
        1L << 20,
        0,
        1 << 20,
        1 << 16,
        List.of("tmpfs"),
        List.of(),
        List.of(folder),
        false,
        (shuffle, map, run) -> folder.resolve("none"),
        descriptor -> {},
        transport);
  }
}
