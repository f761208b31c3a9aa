package io.verbena.ping;

import io.verbena.host.HostFiles;

/**
 * A host.
 *
 * @param name as it calls itself
 * @param boot what the kernel calls this run of itself: the same for all containers of a machine
 */
record HostId(String name, String boot) {
  static HostId of(HostFiles files) {
    return new HostId(
        files.text("/proc/sys/kernel/hostname").orElse("this host"),
        files.text("/proc/sys/kernel/random/boot_id").orElse(""));
  }

  /** Whether the other runs on the same kernel; false when that is not known. */
  boolean sameMachine(String otherBoot) {
    return !boot.isEmpty() && boot.equals(otherBoot);
  }
}
