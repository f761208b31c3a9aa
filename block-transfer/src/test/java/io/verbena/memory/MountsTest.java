package io.verbena.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.memory.Mounts.Candidate;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MountsTest {
  @Test
  void hugePagesComeBeforePlainSharedMemory() {
    List<Candidate> found =
        Mounts.detect(
            List.of(
                "tmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0",
                "tmpfs /run tmpfs rw,nosuid,mode=755 0 0",
                "none /mnt/huge\\040pages tmpfs rw,relatime,huge=always 0 0",
                "hugetlbfs /dev/hugepages hugetlbfs rw,relatime,pagesize=2M 0 0",
                "broken"));
    assertThat(found)
        .containsExactly(
            new Candidate(Backing.HUGETLBFS, Path.of("/dev/hugepages")),
            new Candidate(Backing.TMPFS, Path.of("/mnt/huge pages")),
            new Candidate(Backing.TMPFS, Path.of("/dev/shm")));
  }
}
