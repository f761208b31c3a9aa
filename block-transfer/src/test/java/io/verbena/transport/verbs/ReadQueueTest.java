package io.verbena.transport.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbena.memory.MemoryView;
import io.verbena.transport.Read;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReadQueueTest {
  private static final long BASE = 7L << 32;
  private static final int REMOTE_KEY = 77;
  private static final int LOCAL_KEY = 5;

  private final MemoryView memory = MemoryView.of(ByteBuffer.allocateDirect(1 << 16));
  private final List<Read> before = new ArrayList<>();

  /** A work request as it was filled in. */
  private record Request(
      long wrId, long remote, int key, long local, int length, boolean fence, boolean signal) {}

  /** Collects requests instead of posting them. */
  private static final class Requests implements Fabric.WorkRequests {
    final List<Request> filled = new ArrayList<>();
    private final int capacity;

    Requests(int capacity) {
      this.capacity = capacity;
    }

    @Override
    public int capacity() {
      return capacity;
    }

    @Override
    public void read(
        int index,
        long wrId,
        long remoteAddress,
        int remoteKey,
        long localAddress,
        int localKey,
        int length,
        boolean fence,
        boolean signal) {
      assertThat(localKey).isEqualTo(LOCAL_KEY);
      filled.add(new Request(wrId, remoteAddress, remoteKey, localAddress, length, fence, signal));
    }

    @Override
    public void post(long queuePair, int count) {}

    @Override
    public void close() {}
  }

  private Read read(int length) {
    return new Read(0, 0, length, memory, 128, failure -> {});
  }

  private static void add(ReadQueue queue, Read read, boolean fence, boolean end) {
    queue.add(read, 4096, REMOTE_KEY, LOCAL_KEY, fence, end);
  }

  @Test
  void aReadBecomesOneRequestWithItsPlacesAndKeys() {
    ReadQueue queue = new ReadQueue(8, 1 << 20);
    add(queue, read(100), false, true);
    Requests requests = new Requests(4);

    assertThat(queue.fill(requests, BASE)).isEqualTo(1);

    assertThat(requests.filled)
        .containsExactly(
            new Request(BASE, 4096, REMOTE_KEY, memory.address() + 128, 100, false, true));
  }

  @Test
  void aReadLongerThanAMessageIsCutAndFencedAndSignalledOnce() {
    ReadQueue queue = new ReadQueue(32, 40);
    Read read = read(100);
    add(queue, read, true, true);
    Requests requests = new Requests(16);

    assertThat(queue.fill(requests, BASE)).isEqualTo(3);

    long local = memory.address() + 128;
    assertThat(requests.filled)
        .containsExactly(
            new Request(BASE, 4096, REMOTE_KEY, local, 40, true, false),
            new Request(BASE + 1, 4136, REMOTE_KEY, local + 40, 40, false, false),
            new Request(BASE + 2, 4176, REMOTE_KEY, local + 80, 20, false, true));
    assertThat(queue.complete(2, before)).isSameAs(read);
    assertThat(before).isEmpty();
    assertThat(queue.idle()).isTrue();
  }

  @Test
  void noMoreIsPostedThanTheQueuePairHolds() {
    ReadQueue queue = new ReadQueue(4, 1 << 20);
    for (int i = 0; i < 10; i++) {
      add(queue, read(10), false, i == 9);
    }
    assertThat(queue.fill(new Requests(16), BASE)).isEqualTo(4);
    assertThat(queue.fill(new Requests(16), BASE)).isZero();
    assertThat(queue.outstanding()).isEqualTo(4);
    assertThat(queue.waiting()).isEqualTo(6);

    queue.complete(1, before);

    assertThat(queue.fill(new Requests(16), BASE)).isEqualTo(2);
  }

  @Test
  void aCompletionEndsAllRequestsBeforeIt() {
    ReadQueue queue = new ReadQueue(8, 1 << 20);
    List<Read> reads = List.of(read(1), read(2), read(3));
    reads.forEach(read -> add(queue, read, false, false));
    queue.fill(new Requests(8), BASE);

    assertThat(queue.complete(2, before)).isSameAs(reads.get(2));
    assertThat(before).containsExactly(reads.get(0), reads.get(1));
  }

  @Test
  void aCompletionOfNothingIsADefect() {
    ReadQueue queue = new ReadQueue(8, 1 << 20);
    add(queue, read(1), false, true);
    queue.fill(new Requests(8), BASE);
    assertThatIllegalStateException()
        .isThrownBy(() -> queue.complete(1, before))
        .withMessage("completion of request 1, posted are 1 from 0");
  }

  @Test
  void aReadThatIsPostedInPartIsGivenUpOnlyWithItsLastPostedRequest() {
    ReadQueue queue = new ReadQueue(2, 10);
    Read cut = read(50);
    Read behind = read(5);
    add(queue, cut, false, true);
    add(queue, behind, false, true);
    queue.fill(new Requests(8), BASE);
    List<Read> dropped = new ArrayList<>();

    queue.dropWaiting(dropped);

    assertThat(dropped).containsExactly(behind);
    assertThat(queue.waiting()).isZero();
    assertThat(queue.complete(0, before)).isNull();
    assertThat(queue.complete(1, before)).isSameAs(cut);
    assertThat(before).isEmpty();
  }

  @Test
  void everythingIsGivenUpOnce() {
    ReadQueue queue = new ReadQueue(3, 10);
    List<Read> reads = List.of(read(25), read(10), read(10));
    reads.forEach(read -> add(queue, read, false, true));
    queue.fill(new Requests(8), BASE);
    List<Read> dropped = new ArrayList<>();

    queue.dropAll(dropped);
    queue.dropAll(dropped);

    assertThat(dropped).containsExactlyElementsOf(reads);
    assertThat(queue.idle()).isTrue();
  }

  /** Any READs, cut anyhow, with completions of the signalled requests alone. */
  @Test
  void readsEndOnceAndInOrderAndThereIsAlwaysACompletionToCome() {
    for (long seed = 1; seed <= 40; seed++) {
      Random random = new Random(seed);
      int depth = 1 + random.nextInt(20);
      ReadQueue queue = new ReadQueue(depth, 1 + random.nextInt(300));
      ArrayDeque<Read> expected = new ArrayDeque<>();
      ArrayDeque<Request> posted = new ArrayDeque<>();
      int made = 0;
      while (made < 500 || !queue.idle()) {
        if (made < 500 && random.nextBoolean()) {
          int list = 1 + random.nextInt(30);
          for (int i = 1; i <= list; i++, made++) {
            Read read = read(1 + random.nextInt(1000));
            expected.add(read);
            add(queue, read, random.nextBoolean(), i == list);
          }
        }
        Requests requests = new Requests(1 + random.nextInt(8));
        while (queue.fill(requests, 0) > 0) {
          assertThat(queue.outstanding()).isLessThanOrEqualTo(depth);
        }
        posted.addAll(requests.filled);
        completeOne(queue, posted, expected, seed);
      }
      assertThat(expected).as("seed %d", seed).isEmpty();
    }
  }

  private void completeOne(
      ReadQueue queue, ArrayDeque<Request> posted, ArrayDeque<Read> expected, long seed) {
    if (posted.isEmpty()) {
      return;
    }
    Request next = posted.poll();
    while (!next.signal()) {
      next = posted.poll();
      assertThat(next).as("a signalled request is posted, seed %d", seed).isNotNull();
    }
    before.clear();
    Read last = queue.complete((int) next.wrId(), before);
    before.forEach(read -> assertThat(read).isSameAs(expected.poll()));
    if (last != null) {
      assertThat(last).isSameAs(expected.poll());
    }
  }
}
