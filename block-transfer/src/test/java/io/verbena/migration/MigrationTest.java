package io.verbena.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.migration.ArrivingMapOutput.Outcome;
import io.verbena.store.LocalSegment;
import io.verbena.store.ShuffleGoneException;
import io.verbena.store.ShuffleLease;
import io.verbena.store.ShuffleStore;
import io.verbena.store.StoreFixture;
import io.verbena.table.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Map outputs from one store to another. */
class MigrationTest {
  private static final int SHUFFLE = 3;
  private static final long MAP = 1L << 40;

  @TempDir Path root;
  private final Random random = new Random(11);
  private StoreFixture from;
  private StoreFixture to;
  private ShuffleStore source;
  private ShuffleStore target;
  private Arrivals arrivals;

  @BeforeEach
  void open() throws IOException {
    from = new StoreFixture(root.resolve("from"));
    to = new StoreFixture(root.resolve("to"));
    // Pieces are cut anew.
    to.chunkSize = from.chunkSize / 4;
    openStores();
  }

  private void openStores() throws IOException {
    source = from.open();
    target = to.open();
    arrivals = new Arrivals(target);
  }

  @AfterEach
  void close() {
    source.close();
    target.close();
  }

  private byte[][] blocks(int... lengths) {
    return Arrays.stream(lengths)
        .mapToObj(length -> StoreFixture.bytes(random, length))
        .toArray(byte[][]::new);
  }

  private byte[] departing() throws IOException {
    try (DepartingMapOutput departing =
        new DepartingMapOutput(source.lease(SHUFFLE).orElseThrow(), SHUFFLE, MAP)) {
      byte[] bytes = departing.readAllBytes();
      assertThat(bytes).hasSize(Math.toIntExact(departing.size()));
      return bytes;
    }
  }

  /** A map output that goes to disk in part, as its run's file. */
  private byte[] departingForMoreThanThePool() throws IOException {
    close();
    to.limit = StoreFixture.MIB;
    openStores();
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(900_000, 5, 900_000));
    return departing();
  }

  private Outcome move(byte[] bytes) throws IOException {
    return move(bytes, bytes.length);
  }

  /** In parts of at most so many bytes. */
  private Outcome move(byte[] bytes, int most) throws IOException {
    try (ArrivingMapOutput arriving = arrivals.begin(SHUFFLE, MAP)) {
      for (int at = 0; at < bytes.length; ) {
        int part = Math.min(bytes.length - at, 1 + random.nextInt(most));
        arriving.accept(ByteBuffer.wrap(bytes, at, part));
        at += part;
      }
      return arriving.finish();
    }
  }

  /** Both stores have the same runs, flags and bytes of the map output. */
  private void assertSame(int runs) throws IOException {
    try (ShuffleLease there = source.lease(SHUFFLE).orElseThrow();
        ShuffleLease here = target.lease(SHUFFLE).orElseThrow()) {
      assertThat(here.partitions()).isEqualTo(there.partitions());
      assertThat(here.runs(MAP)).isEqualTo(there.runs(MAP)).isEqualTo(runs);
      for (int partition = 0; partition < there.partitions(); partition++) {
        List<LocalSegment> right = there.block(MAP, partition).orElseThrow();
        List<LocalSegment> moved = here.block(MAP, partition).orElseThrow();
        assertThat(moved).hasSameSizeAs(right);
        for (int i = 0; i < right.size(); i++) {
          assertThat(moved.get(i).run()).isEqualTo(right.get(i).run());
          assertThat(moved.get(i).flags()).isEqualTo(right.get(i).flags());
          assertThat(StoreFixture.read(moved.get(i)))
              .isEqualTo(StoreFixture.read(right.get(i)))
              .isNotEmpty();
        }
      }
    }
  }

  private void assertNothingCame() throws IOException {
    assertThat(target.describe(SHUFFLE)).isEmpty();
    assertThat(target.stats().poolBytes()).isZero();
    assertThat(target.stats().diskBytes()).isZero();
    assertThat(StoreFixture.files(to.runFolder)).isEmpty();
  }

  @Test
  void allRunsMoveWithTheirFlagsAndLargeBlocksAsChains() throws IOException {
    StoreFixture.write(
        source,
        SHUFFLE,
        MAP,
        Entry.COMPRESSED | Entry.ENCRYPTED,
        blocks(0, 10, 300_000, 0, 1, from.chunkSize),
        blocks(7, 0, 5, 0, 0, 0),
        blocks(0, 0, 200_000, 0, 3, 0));

    assertThat(move(departing(), 9_000)).isEqualTo(Outcome.PUBLISHED);

    assertSame(3);
    assertThat(to.announced).containsExactly(target.describe(SHUFFLE).orElseThrow());
    assertThat(target.stats().runsInPool()).isEqualTo(3);
    target.removeShuffle(SHUFFLE);
    assertNothingCame();
  }

  @Test
  void bytesMayComeOneByOne() throws IOException {
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(3, 0, 70), blocks(0, 9, 1));

    assertThat(move(departing(), 1)).isEqualTo(Outcome.PUBLISHED);

    assertSame(2);
  }

  @Test
  void aMapOutputWithoutBytesMoves() throws IOException {
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(0, 0));

    assertThat(move(departing())).isEqualTo(Outcome.PUBLISHED);

    assertSame(1);
  }

  @Test
  void theAnnouncementComesBeforeThePublication() throws IOException {
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(3));
    to.beforeAnnouncing =
        () -> {
          assertThat(target.describe(SHUFFLE)).isEmpty();
          return null;
        };

    move(departing());

    assertThat(to.announced).hasSize(1);
    assertSame(1);
  }

  @Test
  void whatLiesOnDiskMovesToDiskWhereThePoolIsFull() throws IOException {
    close();
    from.limit = StoreFixture.MIB;
    to.limit = StoreFixture.MIB;
    openStores();
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(900_000, 5, 900_000), blocks(0, 200_000, 1));
    assertThat(source.stats().diskBytes()).isPositive();

    assertThat(move(departing(), 50_000)).isEqualTo(Outcome.PUBLISHED);

    assertSame(2);
    assertThat(target.stats().diskBytes()).isPositive();
    assertThat(target.stats().poolReserved()).isLessThanOrEqualTo(2L * StoreFixture.MIB);
    target.removeShuffle(SHUFFLE);
    assertNothingCame();
  }

  @Test
  void whatWasNotReadComesAgain() throws IOException {
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(100_000, 0, 9));
    ByteBuffer all = ByteBuffer.allocate(departing().length);
    try (DepartingMapOutput departing =
        new DepartingMapOutput(source.lease(SHUFFLE).orElseThrow(), SHUFFLE, MAP)) {
      for (ByteBuffer next = departing.bytes(); next.hasRemaining(); next = departing.bytes()) {
        int part = Math.min(next.remaining(), 1 + random.nextInt(5_000));
        all.put(next.slice(next.position(), part));
        next.position(next.position() + part);
      }
    }
    assertThat(all.array()).isEqualTo(departing());
  }

  @Test
  void aChangedBitIsRefusedWhereverItIs() throws IOException {
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(20, 0, 5), blocks(0, 1, 0));
    byte[] right = departing();
    for (int at = 0; at < right.length; at++) {
      byte[] wrong = right.clone();
      wrong[at] = (byte) (wrong[at] ^ 1 << random.nextInt(8));
      assertThatThrownBy(() -> move(wrong, 30))
          .as("byte %d", at)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("what came is no whole map output: ");
    }
    assertNothingCame();
    assertThat(move(right)).as("a later transfer").isEqualTo(Outcome.PUBLISHED);
    assertSame(2);
  }

  @Test
  void aTransferThatEndsEarlyIsRefusedAtEveryLength() throws IOException {
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(20, 0, 5), blocks(0, 1, 0));
    byte[] right = departing();
    for (int length = 0; length < right.length; length++) {
      byte[] cut = Arrays.copyOf(right, length);
      assertThatThrownBy(() -> move(cut, 40))
          .as("cut at %d", length)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("it ended ");
    }
    assertNothingCame();
  }

  @Test
  void moreThanTheMapOutputIsRefused() throws IOException {
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(20, 0, 5));
    byte[] longer = Arrays.copyOf(departing(), departing().length + 1);
    assertThatThrownBy(() -> move(longer)).hasMessageContaining("1 bytes or more follow the last");
    assertNothingCame();
  }

  /** Changes the frame that begins at an offset, with a right checksum. */
  private static void changeFrame(byte[] bytes, int at, Consumer<ByteBuffer> change) {
    ByteBuffer frame = ByteBuffer.wrap(bytes, at, MigrationFormat.FRAME_SIZE).slice();
    long number = frame.getInt(0);
    change.accept(frame);
    ByteBuffer fields = frame.duplicate().rewind();
    new MigrationFormat.Frame(
            fields.getInt(4),
            fields.getInt(8),
            fields.getInt(12),
            fields.getInt(16),
            fields.getInt(20))
        .put(frame.rewind(), number);
  }

  @Test
  void framesThatSayWhatCannotBeAreRefused() throws IOException {
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(20, 5, 0));
    byte[] right = departing();
    int second = MigrationFormat.HEADER_SIZE + MigrationFormat.FRAME_SIZE + 20;
    List<Consumer<ByteBuffer>> changes =
        List.of(
            frame -> frame.putInt(4, 1), // another run, of which the header knows nothing
            frame -> frame.putInt(4, -1),
            frame -> frame.putInt(8, 3), // a partition that there is not
            frame -> frame.putInt(8, -1),
            frame -> frame.putInt(12, Entry.DISK), // flags of the other store's entries
            frame -> frame.putInt(8, 0).putInt(12, Entry.COMPRESSED), // half a block compressed
            frame -> frame.putInt(16, 0),
            frame -> frame.putInt(16, 6)); // more than the header says
    for (int i = 0; i < changes.size(); i++) {
      byte[] wrong = right.clone();
      changeFrame(wrong, second, changes.get(i));
      assertThatThrownBy(() -> move(wrong))
          .as("change %d", i)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("frame 1")
          .hasMessageContaining("is");
    }
    assertNothingCame();
  }

  @Test
  void framesInAnotherOrderAreRefused() throws IOException {
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(5, 5));
    byte[] wrong = departing();
    int size = MigrationFormat.FRAME_SIZE + 5;
    byte[] first = Arrays.copyOfRange(wrong, wrong.length - 2 * size, wrong.length - size);
    System.arraycopy(wrong, wrong.length - size, wrong, wrong.length - 2 * size, size);
    System.arraycopy(first, 0, wrong, wrong.length - size, size);
    assertThatThrownBy(() -> move(wrong)).hasMessageContaining("frame 1 came where 0 was expected");
    assertNothingCame();
  }

  @Test
  void anotherVersionIsRefused() throws IOException {
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(5));
    byte[] other = departing();
    ByteBuffer.wrap(other).putInt(4, 9);
    assertThatThrownBy(() -> move(other))
        .hasMessageContaining("version 9, this side speaks 1; use the same jar everywhere");
  }

  @Test
  void anotherMapOutputIsRefused() throws IOException {
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(20, 0, 5));
    byte[] right = departing();
    try (ArrivingMapOutput arriving = arrivals.begin(SHUFFLE, MAP + 1)) {
      assertThatThrownBy(() -> arriving.accept(ByteBuffer.wrap(right)))
          .hasMessageContaining("expected map 1099511627777 of shuffle 3, it is")
          .hasMessageContaining("mapId=1099511627776");
    }
    assertNothingCame();
  }

  @Test
  void damageInTheSourceIsNotTakenOver() throws IOException {
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(20, 0, 50_000));
    try (ShuffleLease lease = source.lease(SHUFFLE).orElseThrow()) {
      LocalSegment.Piece piece = lease.segment(MAP, 0, 2).pieces().get(0);
      piece.view().putByte(7, (byte) ~piece.view().getByte(7));
    }
    byte[] wrong = departing();
    assertThatThrownBy(() -> move(wrong))
        .hasMessageContaining(
            "the 50000 bytes of frame 1 (run 0, partition 2) do not match their checksum");
    assertNothingCame();
  }

  @Test
  void whatIsHereAlreadyStaysAsItIs() throws IOException {
    byte[] bytes = departingForMoreThanThePool();
    move(bytes);
    long pool = target.stats().poolBytes();
    long disk = target.stats().diskBytes();
    assertThat(disk).isPositive();

    assertThat(move(bytes)).isEqualTo(Outcome.ALREADY_HERE);

    assertThat(target.stats().poolBytes()).isEqualTo(pool);
    assertThat(target.stats().diskBytes()).isEqualTo(disk);
    assertSame(1);
  }

  @Test
  void oneTransferAtATime() throws IOException {
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(20, 0, 5));
    byte[] bytes = departing();
    try (ArrivingMapOutput slow = arrivals.begin(SHUFFLE, MAP)) {
      slow.accept(ByteBuffer.wrap(bytes, 0, bytes.length - 1));
      assertThatThrownBy(() -> arrivals.begin(SHUFFLE, MAP))
          .hasMessageContaining("map 1099511627776 of shuffle 3 is on its way here");
      arrivals.begin(SHUFFLE, MAP + 1).close();
    }
    assertNothingCame();
    assertThat(move(bytes)).isEqualTo(Outcome.PUBLISHED);
  }

  @Test
  void aTransferThatStandsStillMakesWay() throws IOException {
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(20, 0, 5));
    byte[] bytes = departing();
    arrivals = new Arrivals(target, Duration.ZERO);
    try (ArrivingMapOutput stalled = arrivals.begin(SHUFFLE, MAP)) {
      stalled.accept(ByteBuffer.wrap(bytes, 0, bytes.length - 1));

      assertThat(move(bytes)).isEqualTo(Outcome.PUBLISHED);

      assertThatThrownBy(() -> stalled.accept(ByteBuffer.wrap(bytes, bytes.length - 1, 1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the transfer of map 1099511627776 of shuffle 3 has ended");
    }
    assertSame(1);
    target.removeShuffle(SHUFFLE);
    assertNothingCame();
  }

  @Test
  void aShuffleThatIsGoneIsDroppedAndLeavesNothing() throws IOException {
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(20, 0, 5));
    to.beforeAnnouncing =
        () -> {
          throw new ShuffleGoneException("shuffle 3 has been removed");
        };
    assertThat(move(departing())).isEqualTo(Outcome.SHUFFLE_GONE);
    assertNothingCame();
  }

  @Test
  void anAnnouncementThatFailsIsAFaultAndLeavesNothing() throws IOException {
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(20, 0, 5));
    to.beforeAnnouncing =
        () -> {
          throw new IOException("no answer");
        };
    byte[] bytes = departing();
    assertThatThrownBy(() -> move(bytes)).isInstanceOf(IOException.class).hasMessage("no answer");
    assertNothingCame();
  }

  @Test
  void aShuffleRemovedThereMovesOnUntilItsLeaseEnds() throws IOException {
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(20, 0, 50_000));
    byte[] right = departing();
    try (DepartingMapOutput departing =
        new DepartingMapOutput(source.lease(SHUFFLE).orElseThrow(), SHUFFLE, MAP)) {
      source.removeShuffle(SHUFFLE);
      assertThat(source.stats().poolBytes()).isPositive();
      assertThat(departing.readAllBytes()).isEqualTo(right);
    }
    assertThat(source.stats().poolBytes()).isZero();
    assertThat(source.lease(SHUFFLE)).isEmpty();
  }

  @Test
  void whatIsNotHereCannotDepartAndItsLeaseEnds() throws IOException {
    StoreFixture.write(source, SHUFFLE, MAP, 0, blocks(20));
    ShuffleLease lease = source.lease(SHUFFLE).orElseThrow();
    assertThatThrownBy(() -> new DepartingMapOutput(lease, SHUFFLE, 7))
        .isInstanceOf(IOException.class)
        .hasMessage("map 7 of shuffle 3 is not here");
    source.removeShuffle(SHUFFLE);
    assertThat(source.stats().poolBytes()).isZero();
  }

  @Test
  void aTransferThatWasRefusedOnDiskLeavesNoFile() throws IOException {
    byte[] wrong = departingForMoreThanThePool();
    wrong[wrong.length - 1]++;
    try (ArrivingMapOutput arriving = arrivals.begin(SHUFFLE, MAP)) {
      arriving.accept(ByteBuffer.wrap(wrong, 0, wrong.length - 1));
      assertThat(StoreFixture.files(to.runFolder)).isNotEmpty();
      assertThatThrownBy(() -> arriving.accept(ByteBuffer.wrap(wrong, wrong.length - 1, 1)))
          .hasMessageContaining("do not match their checksum");
    }
    assertNothingCame();
  }
}
