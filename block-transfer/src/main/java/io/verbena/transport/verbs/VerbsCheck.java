package io.verbena.transport.verbs;

import io.verbena.store.ShuffleStore;
import io.verbena.store.StoreSettings;
import io.verbena.transport.Connection;
import io.verbena.transport.UnreachableException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Tells whether the {@code verbs} transport works on this host, and otherwise the first thing to
 * mend. Goes through what the transport needs in the order in which it needs it, and ends with a
 * READ of this process's own memory through the device.
 *
 * <p>Threads: one.
 */
public final class VerbsCheck {
  /** A region and the receive buffers of an executor with default settings, in bytes. */
  static final long NEEDED_LOCKED = (256L << 20) + (64L << 20);

  private static final int WORKS = 0;
  private static final int FAILS = 1;
  private static final int WRONG_USAGE = 64;

  /** Bit of CAP_IPC_LOCK: its holder may lock any amount of memory. */
  private static final int IPC_LOCK = 14;

  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private final Path root;
  private final PrintStream out;
  private String device = "";
  private String address = "";

  VerbsCheck(Path root, PrintStream out) {
    this.root = root;
    this.out = out;
  }

  /** Prints what was found; ends the process: 0 it works, 1 it does not, 64 wrong usage. */
  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.exit(new VerbsCheck(Path.of("/"), out).run(args));
  }

  /** Goes through all checks up to the first that fails; gives the exit code. */
  int run(String... args) {
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--device", "--address" -> {
          if (i + 1 == args.length) {
            return refuse(args[i] + " needs a value");
          }
          set(args[i], args[++i]);
        }
        default -> {
          return refuse("unknown option: " + args[i]);
        }
      }
    }
    return check();
  }

  private int refuse(String what) {
    out.println("bin/verbs-check: " + what);
    return WRONG_USAGE;
  }

  private void set(String option, String value) {
    if (option.equals("--device")) {
      device = value;
    } else {
      address = value;
    }
  }

  private int check() {
    String failure = device();
    if (failure == null) {
      failure = permission();
    }
    if (failure == null) {
      failure = transport();
    }
    if (failure == null) {
      out.println("verbs works on this host");
      return WORKS;
    }
    out.println("FAIL  " + failure);
    out.println("verbs does not work on this host; mend that first");
    return FAILS;
  }

  private void passed(String what) {
    out.println("ok    " + what);
  }

  private String device() {
    List<String> devices = names(root.resolve("sys/class/infiniband"));
    if (devices.isEmpty()) {
      return "there is no RDMA device (/sys/class/infiniband is empty): load the driver of the"
          + " network card, or make a software device: modprobe rdma_rxe; rdma link add rxe0 type"
          + " rxe netdev eth0";
    }
    passed("RDMA devices: " + String.join(", ", devices));
    return null;
  }

  private String permission() {
    Path folder = root.resolve("dev/infiniband");
    List<String> files = names(folder);
    if (!files.contains("rdma_cm")) {
      return "there is no /dev/infiniband/rdma_cm: modprobe rdma_ucm; for a container give it"
          + " --device=/dev/infiniband";
    }
    if (files.stream().noneMatch(name -> name.startsWith("uverbs"))) {
      return "there is no /dev/infiniband/uverbs*: modprobe ib_uverbs; for a container give it"
          + " --device=/dev/infiniband";
    }
    for (String name : files) {
      Path file = folder.resolve(name);
      boolean used = name.equals("rdma_cm") || name.startsWith("uverbs");
      if (used && !(Files.isReadable(file) && Files.isWritable(file))) {
        return "user %s may not read and write /dev/infiniband/%s: chmod 666 it, best by a udev rule"
            .formatted(System.getProperty("user.name"), name);
      }
    }
    passed("/dev/infiniband can be opened");
    return null;
  }

  private static List<String> names(Path folder) {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      files.forEach(file -> names.add(file.getFileName().toString()));
    } catch (IOException e) {
      // Not there, or not to be seen: nothing that could be used either way.
      return List.of();
    }
    names.sort(null);
    return names;
  }

  private String transport() {
    try {
      String failure = lockedMemory();
      return failure == null ? transportWorks() : failure;
    } catch (VerbsUnavailableException | IOException e) {
      return e.getMessage();
    }
  }

  private String lockedMemory() throws VerbsUnavailableException, IOException {
    long limit;
    try (Fabric fabric = FabricLoader.load(List.of())) {
      passed("native library, libibverbs and librdmacm");
      limit = fabric.lockedMemoryLimit();
    }
    boolean bound = limit >= 0 && !mayLockAll();
    if (bound && limit < NEEDED_LOCKED) {
      return String.format(
          Locale.ROOT,
          "the limit of locked memory is %d KiB, an executor with one region needs %d KiB: ulimit"
              + " -l unlimited, LimitMEMLOCK=infinity in the worker's systemd unit, or --ulimit"
              + " memlock=-1 for a container",
          limit >> 10,
          NEEDED_LOCKED >> 10);
    }
    passed("locked memory: " + (bound ? (limit >> 10) + " KiB" : "no limit for this user"));
    return null;
  }

  /** Whether the kernel does not hold this process to its limit. */
  private boolean mayLockAll() throws IOException {
    for (String line : Files.readAllLines(root.resolve("proc/self/status"))) {
      if (line.startsWith("CapEff:")) {
        return (Long.parseUnsignedLong(line.substring(7).strip(), 16) >>> IPC_LOCK & 1) != 0;
      }
    }
    return false;
  }

  private String transportWorks() throws VerbsUnavailableException, IOException {
    VerbsSettings settings =
        new VerbsSettings(
            "localhost",
            device,
            address,
            64,
            DEADLINE,
            DEADLINE,
            Duration.ZERO,
            "verbs-check".getBytes(StandardCharsets.UTF_8),
            List.of());
    try (VerbsTransport transport = VerbsTransport.open(settings)) {
      passed("device " + transport.device());
      passed("address " + String.join(", ", transport.addresses()));
      return ownMemory(transport);
    }
  }

  private String ownMemory(VerbsTransport transport) throws IOException {
    Path folder = Files.createTempDirectory("verbs-check-");
    try (ShuffleStore store = ShuffleStore.open(storeSettings(folder, transport))) {
      Connection connection = transport.connect("of this process", store.descriptor());
      connection.close();
      passed("READ of this process's own memory through the device");
      return null;
    } catch (UnreachableException e) {
      return e.getMessage();
    } finally {
      Files.delete(folder);
    }
  }

  private static StoreSettings storeSettings(Path folder, VerbsTransport transport) {
    return new StoreSettings(
        "verbs-check",
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
