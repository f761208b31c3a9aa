package io.verbena.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.memory.MemoryView;
import io.verbena.store.LocalSegment;
import io.verbena.table.Entry;
import io.verbena.table.HandMadePeer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockFramesTest {
  private static final BlockId BLOCK = new BlockId(1L << 40, 7, 5);

  @TempDir Path directory;
  private final Random random = new Random(3);

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static LocalSegment.Piece piece(byte[] bytes) {
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes);
    return new LocalSegment.Piece(
        MemoryView.of(direct), true, null, 0, bytes.length, HandMadePeer.crc(bytes));
  }

  private static ByteBuffer frames(List<LocalSegment> segments) throws IOException {
    List<ByteBuffer> parts = BlockFrames.encode(segments, 3, BLOCK.mapId(), BLOCK.partition());
    ByteBuffer all = ByteBuffer.allocate(parts.stream().mapToInt(ByteBuffer::remaining).sum());
    parts.forEach(all::put);
    return all.flip();
  }

  private List<LocalSegment> twoRuns(byte[] a, byte[] b, byte[] c) throws IOException {
    Path file = directory.resolve("run");
    byte[] padded = new byte[c.length + 13];
    System.arraycopy(c, 0, padded, 13, c.length);
    Files.write(file, padded);
    return List.of(
        new LocalSegment(0, Entry.COMPRESSED, a.length + b.length, List.of(piece(a), piece(b))),
        new LocalSegment(
            4,
            Entry.ENCRYPTED,
            c.length,
            List.of(new LocalSegment.Piece(null, false, file, 13, c.length, HandMadePeer.crc(c)))));
  }

  @Test
  void framesKeepRunsFlagsPiecesAndChecksums() throws Exception {
    byte[] a = bytes(100);
    byte[] b = bytes(3);
    byte[] c = bytes(50);
    ByteBuffer frames = frames(twoRuns(a, b, c)).order(ByteOrder.LITTLE_ENDIAN);

    List<BlockFrames.Framed> got = BlockFrames.decode(frames, 3, BLOCK);

    assertThat(got).hasSize(2);
    assertThat(got.get(0).flags()).isEqualTo(Entry.COMPRESSED);
    assertThat(got.get(0).length()).isEqualTo(103);
    assertThat(got.get(0).pieces()).containsExactly(ByteBuffer.wrap(a), ByteBuffer.wrap(b));
    assertThat(got.get(0).crcs()).containsExactly(HandMadePeer.crc(a), HandMadePeer.crc(b));
    assertThat(got.get(1).run()).isEqualTo(4);
    assertThat(got.get(1).flags()).isEqualTo(Entry.ENCRYPTED);
    assertThat(got.get(1).pieces()).containsExactly(ByteBuffer.wrap(c));
    assertThat(frames.position()).as("the caller's buffer is not moved").isZero();
  }

  @Test
  void anEmptyBlockIsAHeaderAlone() throws Exception {
    ByteBuffer frames = frames(List.of());
    assertThat(frames.remaining()).isEqualTo(BlockFrames.HEADER_SIZE);
    assertThat(BlockFrames.decode(frames, 3, BLOCK)).isEmpty();
  }

  @Test
  void truncatedFramesAreRefusedAtEveryLength() throws Exception {
    ByteBuffer frames = frames(twoRuns(bytes(20), bytes(3), bytes(9)));
    for (int length = 0; length < frames.limit(); length++) {
      ByteBuffer cut = frames.slice(0, length);
      assertThatThrownBy(() -> BlockFrames.decode(cut, 3, BLOCK))
          .as("cut at %d", length)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("what came (" + length + " bytes) is no block");
    }
  }

  @Test
  void moreThanTheFramesIsRefused() throws Exception {
    ByteBuffer frames = frames(twoRuns(bytes(20), bytes(3), bytes(9)));
    ByteBuffer longer = ByteBuffer.allocate(frames.remaining() + 1).put(frames).rewind();
    assertThatThrownBy(() -> BlockFrames.decode(longer, 3, BLOCK))
        .hasMessageContaining("1 bytes follow the last frame");
  }

  @Test
  void anotherBlocksFramesAreRefused() throws Exception {
    ByteBuffer frames = frames(twoRuns(bytes(20), bytes(3), bytes(9)));
    assertThatThrownBy(() -> BlockFrames.decode(frames, 4, BLOCK))
        .hasMessageContaining("it is shuffle 3 map 1099511627776 partition 5");
    assertThatThrownBy(() -> BlockFrames.decode(frames, 3, new BlockId(1, 7, 5)))
        .hasMessageContaining("it is shuffle 3");
    assertThatThrownBy(() -> BlockFrames.decode(frames, 3, new BlockId(BLOCK.mapId(), 7, 6)))
        .hasMessageContaining("it is shuffle 3");
  }

  @Test
  void anotherVersionIsRefused() throws Exception {
    ByteBuffer frames = frames(List.of()).putInt(4, 9);
    assertThatThrownBy(() -> BlockFrames.decode(frames, 3, BLOCK))
        .hasMessageContaining("version 9, expected 1");
  }

  /** Whatever comes: an IOException, or windows inside of what came. */
  @Test
  void garbageNeverLeadsOutsideOfWhatCame() throws Exception {
    long seed = new Random().nextLong();
    Random fuzz = new Random(seed);
    ByteBuffer good = frames(twoRuns(bytes(200), bytes(30), bytes(90)));
    int refused = 0;
    for (int round = 0; round < 20_000; round++) {
      ByteBuffer bad = ByteBuffer.allocate(good.remaining()).put(good.duplicate()).flip();
      for (int i = 0; i <= fuzz.nextInt(3); i++) {
        // Beyond the header, whose checksum would hide the rest.
        int at = fuzz.nextInt(4) == 0 ? fuzz.nextInt(bad.limit()) : 40 + fuzz.nextInt(16);
        bad.put(at, (byte) fuzz.nextInt());
      }
      try {
        long total = 0;
        for (BlockFrames.Framed framed : BlockFrames.decode(bad, 3, BLOCK)) {
          for (ByteBuffer piece : new ArrayList<>(framed.pieces())) {
            total += piece.remaining();
          }
        }
        assertThat(total).as("seed %d", seed).isLessThanOrEqualTo(bad.limit());
      } catch (IOException e) {
        refused++;
      }
    }
    assertThat(refused).as("seed %d", seed).isPositive();
  }
}
