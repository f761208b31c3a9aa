package io.verbena.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.memory.OnTmpfs;
import io.verbena.table.Entry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.io.TempDir;

/** Random sequences of operations on a store, and the same on maps of arrays. */
class StoreModelTest {
  @TempDir(factory = OnTmpfs.class)
  Path root;

  /** A shuffle as it should be: map id, then a block for each partition. */
  private static final class Model {
    final int partitions;
    final Map<Long, byte[][]> maps = new TreeMap<>();

    Model(int partitions) {
      this.partitions = partitions;
    }
  }

  private record Held(ShuffleLease lease, Model model) {}

  private Random random;
  private StoreFixture fixture;
  private ShuffleStore store;
  private long nextMap;
  private final Map<Integer, Model> models = new HashMap<>();
  private final List<Held> held = new ArrayList<>();

  @RepeatedTest(5)
  void randomOperationsAgreeWithAModel(RepetitionInfo repetition) throws IOException {
    long seed = System.nanoTime() * 31 + repetition.getCurrentRepetition();
    System.out.println("seed " + seed);
    random = new Random(seed);
    fixture = new StoreFixture(root);
    // Regions with small pages and with huge ones.
    fixture.regionSize = random.nextBoolean() ? StoreFixture.MIB : 4 * StoreFixture.MIB;
    fixture.limit = (4L + random.nextInt(8)) * StoreFixture.MIB - random.nextInt(1000);
    fixture.prefault = random.nextBoolean();
    fixture.backings = random.nextInt(4) == 0 ? List.of("disk") : fixture.backings;
    store = fixture.open();
    try {
      for (int step = 0; step < 40; step++) {
        switch (random.nextInt(10)) {
          case 0 -> remove();
          case 1 -> abort();
          case 2 -> hold();
          case 3 -> check();
          default -> write();
        }
        checkFigures();
      }
      check();
      checkHeld();
      models.keySet().forEach(store::removeShuffle);
      checkHeld();
      held.forEach(h -> h.lease().close());
      assertThat(store.stats().poolBytes()).isZero();
      assertThat(store.stats().tableBytes()).isZero();
      assertThat(store.stats().diskBytes()).isZero();
      assertThat(StoreFixture.files(root.resolve("runs"))).isEmpty();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("seed " + seed, e);
    } finally {
      store.close();
    }
    assertThat(StoreFixture.files(fixture.memory.get(0))).isEmpty();
    assertThat(StoreFixture.files(fixture.local.get(0))).isEmpty();
  }

  private void write() throws IOException {
    int shuffleId = random.nextInt(4);
    Model model = models.get(shuffleId);
    int partitions = model == null ? 1 + random.nextInt(40) : model.partitions;
    long mapId = nextMap++;
    byte[][] blocks = new byte[partitions][0];
    try (MapOutput output = store.newMapOutput(shuffleId, partitions, mapId)) {
      writeRuns(output, blocks);
      long[] lengths = output.commit();
      for (int partition = 0; partition < partitions; partition++) {
        assertThat(lengths[partition]).isEqualTo(blocks[partition].length);
      }
    }
    models.computeIfAbsent(shuffleId, id -> new Model(partitions)).maps.put(mapId, blocks);
  }

  private void writeRuns(MapOutput output, byte[][] blocks) throws IOException {
    int runs = random.nextInt(4);
    long total = 0;
    for (int run = 0; run < runs; run++) {
      RunWriter writer = output.newRun();
      long written = 0;
      for (int partition = 0; partition < blocks.length; partition++) {
        byte[] more = StoreFixture.bytes(random, length());
        if (more.length > 0 || random.nextInt(10) == 0) {
          int flags = partition % 2 == 0 ? Entry.COMPRESSED : 0;
          writer.partition(partition, flags, hint(more.length));
          writeParts(writer, more);
          blocks[partition] = join(blocks[partition], more);
          written += more.length;
        }
      }
      assertThat(writer.bytes()).isEqualTo(written);
      total += written;
      if (run < runs - 1 || random.nextBoolean()) {
        writer.finish();
      }
      assertThat(output.bytes()).isEqualTo(total);
    }
  }

  private int length() {
    return switch (random.nextInt(20)) {
      case 0 -> StoreFixture.MIB / 16;
      case 1 -> random.nextInt(400_000);
      case 2, 3, 4 -> random.nextInt(40_000);
      case 5, 6, 7, 8, 9 -> 0;
      default -> random.nextInt(300);
    };
  }

  private long hint(int length) {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> random.nextInt(200_000);
      default -> length;
    };
  }

  private void writeParts(RunWriter writer, byte[] bytes) throws IOException {
    int at = 0;
    while (at < bytes.length) {
      int part =
          Math.min(bytes.length - at, 1 + random.nextInt(random.nextBoolean() ? 100 : 90_000));
      switch (random.nextInt(4)) {
        case 0 -> writer.stream().write(bytes, at, part);
        case 1 -> writer.writeFromPage(bytes, BYTE_ARRAY_OFFSET + at, part);
        case 2 -> {
          part = 1;
          writer.stream().write(bytes[at]);
        }
        default -> writer.write(bytes, at, part);
      }
      at += part;
    }
  }

  // Where the elements of a byte[] begin on every supported JVM with compressed class pointers.
  private static final long BYTE_ARRAY_OFFSET = 16;

  private static byte[] join(byte[] first, byte[] second) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    joined.writeBytes(first);
    joined.writeBytes(second);
    return joined.toByteArray();
  }

  private void abort() throws IOException {
    try (MapOutput output = store.newMapOutput(random.nextInt(4), 10, nextMap++)) {
      writeRuns(output, new byte[10][0]);
    }
  }

  private void remove() {
    int shuffleId = random.nextInt(4);
    store.removeShuffle(shuffleId);
    models.remove(shuffleId);
    assertThat(store.lease(shuffleId)).isEmpty();
  }

  private void hold() {
    for (Map.Entry<Integer, Model> entry : models.entrySet()) {
      Model copy = new Model(entry.getValue().partitions);
      copy.maps.putAll(entry.getValue().maps);
      held.add(new Held(store.lease(entry.getKey()).orElseThrow(), copy));
    }
    while (held.size() > 6) {
      Held old = held.remove(random.nextInt(held.size()));
      old.lease().close();
      old.lease().close();
    }
  }

  private void check() throws IOException {
    for (Map.Entry<Integer, Model> entry : models.entrySet()) {
      Model model = entry.getValue();
      try (ShuffleLease lease = store.lease(entry.getKey()).orElseThrow()) {
        checkLease(lease, model);
        assertThat(lease.mapIds()).hasSize(model.maps.size());
      }
      RawTable raw =
          new RawTable(
              store.descriptor(), store.describe(entry.getKey()).orElseThrow(), fixture::runFile);
      assertThat(raw.mapIds()).containsExactlyInAnyOrderElementsOf(model.maps.keySet());
      for (Map.Entry<Long, byte[][]> map : model.maps.entrySet()) {
        for (int partition = 0; partition < model.partitions; partition++) {
          assertThat(raw.block(map.getKey(), partition)).isEqualTo(map.getValue()[partition]);
        }
      }
    }
  }

  private void checkHeld() throws IOException {
    for (Held h : held) {
      checkLease(h.lease(), h.model());
    }
  }

  private static void checkLease(ShuffleLease lease, Model model) throws IOException {
    for (Map.Entry<Long, byte[][]> map : model.maps.entrySet()) {
      for (int partition = 0; partition < model.partitions; partition++) {
        assertThat(StoreFixture.block(lease, map.getKey(), partition))
            .isEqualTo(map.getValue()[partition]);
        for (LocalSegment segment : lease.block(map.getKey(), partition).orElseThrow()) {
          assertThat(segment.flags()).isEqualTo(partition % 2 == 0 ? Entry.COMPRESSED : 0);
        }
      }
    }
  }

  private void checkFigures() throws IOException {
    StoreStats stats = store.stats();
    long onDisk = 0;
    for (Path file : StoreFixture.files(root.resolve("runs"))) {
      onDisk += Files.size(file);
    }
    assertThat(stats.diskBytes()).isEqualTo(onDisk);
    long alive = 0;
    for (Model model : models.values()) {
      for (byte[][] blocks : model.maps.values()) {
        for (byte[] block : blocks) {
          alive += block.length;
        }
      }
    }
    assertThat(stats.poolBytes() - stats.tableBytes() + onDisk).isGreaterThanOrEqualTo(alive);
    assertThat(stats.poolReserved()).isGreaterThanOrEqualTo(stats.poolBytes());
    assertThat(stats.poolHighWater()).isGreaterThanOrEqualTo(stats.poolReserved());
    assertThat(stats.poolBytes() - stats.tableBytes()).isLessThanOrEqualTo(fixture.limit);
  }
}
