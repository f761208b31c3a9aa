package io.verbena.memory;

import io.verbena.host.HostFiles;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The pool's limit when the user gives none: the least of what each bound allows, with the reasons
 * as text. Shares are cautious because several executors of a host derive theirs at the same time
 * and know nothing of one another.
 *
 * @param bytes the limit
 * @param reasons every bound with its figures, the deciding one first
 */
record PoolLimit(long bytes, String reasons) {
  private static final long MIB = 1L << 20;
  private static final long GRAIN = 16 * MIB;

  /**
   * What the derivation looks at, bytes; 0 means unknown or unlimited.
   *
   * @param memoryHint the executor's memory overhead
   * @param backingFree free space of the first backing
   * @param container the container's memory limit
   * @param heap the JVM's largest heap
   * @param physical the machine's memory
   * @param available what of it is free or can be reclaimed now
   */
  record Machine(
      long memoryHint,
      long backingFree,
      long container,
      long heap,
      long physical,
      long available) {}

  private record Bound(long bytes, String reason) {}

  static PoolLimit derive(Machine machine) {
    List<Bound> bounds = new ArrayList<>();
    if (machine.memoryHint() > 0) {
      bounds.add(share(machine.memoryHint(), 2, "half of the executor's memory overhead"));
    }
    if (machine.container() > 0) {
      long beside = Math.max(0, machine.container() - machine.heap());
      bounds.add(share(beside, 2, "half of what the container allows beside the heap"));
    }
    if (machine.backingFree() > 0) {
      bounds.add(share(machine.backingFree(), 2, "half of the backing's free space"));
    }
    if (machine.physical() > 0) {
      bounds.add(share(machine.physical(), 4, "a quarter of the machine's memory"));
    }
    if (machine.available() > 0) {
      bounds.add(share(machine.available(), 3, "a third of the machine's available memory"));
    }
    bounds.sort((a, b) -> Long.compare(a.bytes(), b.bytes()));
    List<String> reasons = bounds.stream().map(Bound::reason).toList();
    long least = bounds.isEmpty() ? 0 : bounds.get(0).bytes();
    return new PoolLimit(least / GRAIN * GRAIN, String.join("; ", reasons));
  }

  private static Bound share(long whole, int parts, String what) {
    return new Bound(
        whole / parts, what + " (" + Sizes.text(whole) + ") is " + Sizes.text(whole / parts));
  }

  /**
   * Reads a machine.
   *
   * @param heap the executor's largest heap, bytes
   */
  static Machine machine(HostFiles host, long memoryHint, long backingFree, long heap) {
    long physical = meminfo(host, "MemTotal:");
    long container = container(host);
    return new Machine(
        memoryHint,
        backingFree,
        physical > 0 && container >= physical ? 0 : container,
        heap,
        physical,
        meminfo(host, "MemAvailable:"));
  }

  private static long meminfo(HostFiles host, String key) {
    String digits = host.field("/proc/meminfo", key).orElse("").replaceAll("\\D", "");
    return digits.isEmpty() ? 0 : Long.parseLong(digits) * 1024;
  }

  /** The least memory limit of this process's control groups, version 2 or 1; 0 without one. */
  private static long container(HostFiles host) {
    Set<String> files = new LinkedHashSet<>();
    files.add("/sys/fs/cgroup/memory.max");
    files.add("/sys/fs/cgroup/memory/memory.limit_in_bytes");
    for (String line : host.lines("/proc/self/cgroup")) {
      String[] fields = line.split(":", 3);
      if (fields.length == 3 && fields[0].equals("0")) {
        files.add("/sys/fs/cgroup" + fields[2] + "/memory.max");
      } else if (fields.length == 3 && fields[1].equals("memory")) {
        files.add("/sys/fs/cgroup/memory" + fields[2] + "/memory.limit_in_bytes");
      }
    }
    // Version 2 writes "max" for none.
    return files.stream()
        .map(host::number)
        .filter(OptionalLong::isPresent)
        .mapToLong(OptionalLong::getAsLong)
        .min()
        .orElse(0);
  }
}
