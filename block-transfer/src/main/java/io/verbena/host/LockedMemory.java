package io.verbena.host;

import java.util.OptionalLong;

/**
 * How much memory this process may lock, which includes what it registers with RDMA devices.
 *
 * @param limit bytes of the soft limit; empty for none
 * @param exempt whether the kernel does not hold this process to it
 */
public record LockedMemory(OptionalLong limit, boolean exempt) {
  /** Bit of CAP_IPC_LOCK: its holder may lock any amount of memory. */
  private static final int IPC_LOCK = 14;

  private static final String ALL_USERS = "0 0 4294967295";

  /** Reads {@code /proc/self}; what cannot be read counts as no limit. */
  public static LockedMemory of(HostFiles host) {
    String limits = host.field("/proc/self/limits", "Max locked memory").orElse("unlimited");
    String soft = limits.split("\\s+", 2)[0];
    OptionalLong limit =
        soft.equals("unlimited") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(soft));
    return new LockedMemory(limit, isCapable(host));
  }

  /** Capabilities count in the first user namespace alone, the one that maps all users. */
  private static boolean isCapable(HostFiles host) {
    String map = host.text("/proc/self/uid_map").orElse(ALL_USERS);
    long capabilities =
        host.field("/proc/self/status", "CapEff:")
            .map(hex -> Long.parseUnsignedLong(hex, 16))
            .orElse(0L);
    return (capabilities >>> IPC_LOCK & 1) != 0 && map.replaceAll("\\s+", " ").equals(ALL_USERS);
  }

  /** Whether so many bytes may be locked. */
  public boolean allows(long bytes) {
    return exempt || limit.isEmpty() || limit.getAsLong() >= bytes;
  }
}
