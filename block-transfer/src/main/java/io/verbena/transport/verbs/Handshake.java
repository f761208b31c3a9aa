package io.verbena.transport.verbs;

import io.verbena.memory.MemoryView;
import io.verbena.transport.SecretProof;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What two executors tell each other before one may READ the other's memory. Each shows that it
 * knows the application's secret without telling it; the owner lets the reader in only then.
 *
 * <pre>
 *   reader -> owner  connection request, private data (40 bytes; InfiniBand has room for 56)
 *     0  int   magic                  4  int   version
 *     8  long  nonce of the process that is meant, high half      16  long  low half
 *    24  16 bytes  reader's challenge
 *   owner -> reader  acceptance, private data (56 bytes)
 *     0  int   magic                  4  int   version
 *     8  16 bytes  owner's challenge  24  32 bytes  owner's proof
 *   owner -> reader  or refusal, private data (12 bytes)
 *     0  int   magic                  4  int   version      8  int  reason
 *   reader -> owner  SEND (40 bytes)
 *     0  int   magic                  4  int   version      8  32 bytes  reader's proof
 *   owner -> reader  SEND (32 bytes)
 *     0  int   magic                  4  int   version
 *     8  long  address of the control area                  16  long  its bytes
 *    24  int   its remote key
 * </pre>
 *
 * A proof is the HMAC-SHA256 over role, version, nonce and both challenges, with the application's
 * secret as key. All numbers are big-endian.
 */
final class Handshake {
  static final int MAGIC = 0x7e4be4d0;
  static final int VERSION = 1;

  static final int CHALLENGE_SIZE = SecretProof.CHALLENGE_SIZE;
  static final int PROOF_SIZE = SecretProof.SIZE;
  static final int REQUEST_SIZE = 40;
  static final int ANSWER_SIZE = 56;
  static final int REFUSAL_SIZE = 12;
  static final int PROOF_MESSAGE_SIZE = 8 + PROOF_SIZE;
  static final int READY_SIZE = 32;

  /** Room for the largest message. */
  static final int MESSAGE_ROOM = 64;

  /** Why an owner refuses. */
  enum Refusal {
    OTHER_VERSION(1, "it speaks another version; use the same Verbena version on all executors"),
    OTHER_PROCESS(
        2,
        "the nonce is another process's: the executor that was meant has ended, or its address is"
            + " used by somebody else now"),
    NOT_READY(3, "it has no memory to read yet, or is ending"),
    FAILED(4, "it could not make its side of the connection; its log says why");

    private final int code;
    private final String text;

    Refusal(int code, String text) {
      this.code = code;
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  /** Who proves. */
  enum Role {
    READER,
    OWNER
  }

  /** A connection request. */
  @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
  record Request(long nonceHigh, long nonceLow, byte[] challenge) {}

  /** An acceptance. */
  @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
  record Answer(byte[] challenge, byte[] proof) {}

  /** Where the owner's control area lies. */
  record Ready(long address, long length, int key) {}

  private Handshake() {}

  static byte[] newChallenge() {
    return SecretProof.newChallenge();
  }

  static byte[] encode(Request request) {
    return start(REQUEST_SIZE)
        .putLong(request.nonceHigh())
        .putLong(request.nonceLow())
        .put(request.challenge())
        .array();
  }

  static byte[] encode(Answer answer) {
    return start(ANSWER_SIZE).put(answer.challenge()).put(answer.proof()).array();
  }

  static byte[] encode(Refusal refusal) {
    return start(REFUSAL_SIZE).putInt(refusal.code).array();
  }

  private static ByteBuffer start(int size) {
    return ByteBuffer.allocate(size).putInt(MAGIC).putInt(VERSION);
  }

  /**
   * Reads a request.
   *
   * @throws IOException when it is none, or of another version
   */
  static Request request(byte[] data) throws IOException {
    ByteBuffer in = open(data, REQUEST_SIZE, "a connection request");
    return new Request(in.getLong(), in.getLong(), bytes(in, CHALLENGE_SIZE));
  }

  static Answer answer(byte[] data) throws IOException {
    ByteBuffer in = open(data, ANSWER_SIZE, "an acceptance");
    return new Answer(bytes(in, CHALLENGE_SIZE), bytes(in, PROOF_SIZE));
  }

  /** The reason of a refusal, for people. */
  static String refusalText(byte[] data) {
    try {
      int reason = open(data, REFUSAL_SIZE, "a refusal").getInt();
      for (Refusal each : Refusal.values()) {
        if (each.code == reason) {
          return each.text();
        }
      }
      return "for a reason that this version does not know, " + reason;
    } catch (IOException e) {
      return "nothing of this application listens there (" + e.getMessage() + ")";
    }
  }

  private static ByteBuffer open(byte[] data, int size, String what) throws IOException {
    // Some networks pad private data.
    if (data.length < size) {
      throw new IOException(data.length + " bytes are no " + what.substring(what.indexOf(' ') + 1));
    }
    ByteBuffer in = ByteBuffer.wrap(data, 0, size);
    check(in.getInt(), in.getInt(), what);
    return in;
  }

  private static void check(int magic, int version, String what) throws IOException {
    if (magic != MAGIC) {
      throw new IOException(
          what + " with the magic number 0x%08x, expected 0x%08x".formatted(magic, MAGIC));
    }
    if (version != VERSION) {
      throw new IOException(what + " of version " + version + ", this side speaks " + VERSION);
    }
  }

  private static byte[] bytes(ByteBuffer in, int count) {
    byte[] bytes = new byte[count];
    in.get(bytes);
    return bytes;
  }

  /** Writes a reader's proof as a message. */
  static void putProof(MemoryView into, int offset, byte[] proof) {
    bigEndian(into, offset, PROOF_MESSAGE_SIZE).putInt(MAGIC).putInt(VERSION).put(proof);
  }

  static byte[] takeProof(MemoryView from, int offset) throws IOException {
    ByteBuffer in = bigEndian(from, offset, PROOF_MESSAGE_SIZE);
    check(in.getInt(), in.getInt(), "a proof");
    return bytes(in, PROOF_SIZE);
  }

  /** Writes the owner's last message. */
  static void putReady(MemoryView into, int offset, Ready ready) {
    bigEndian(into, offset, READY_SIZE)
        .putInt(MAGIC)
        .putInt(VERSION)
        .putLong(ready.address())
        .putLong(ready.length())
        .putInt(ready.key());
  }

  static Ready takeReady(MemoryView from, int offset) throws IOException {
    ByteBuffer in = bigEndian(from, offset, READY_SIZE);
    check(in.getInt(), in.getInt(), "the place of a control area");
    return new Ready(in.getLong(), in.getLong(), in.getInt());
  }

  private static ByteBuffer bigEndian(MemoryView view, int offset, int length) {
    return view.buffer(offset, length).order(ByteOrder.BIG_ENDIAN);
  }

  /** Proof of the secret for one connection. */
  static byte[] proof(byte[] secret, Role role, Request request, byte[] ownersChallenge) {
    return SecretProof.of(secret, label(role), encode(request), ownersChallenge);
  }

  /** Whether a proof is right; takes the same time however wrong it is. */
  static boolean proves(
      byte[] proof, byte[] secret, Role role, Request request, byte[] ownersChallenge) {
    return SecretProof.holds(proof, secret, label(role), encode(request), ownersChallenge);
  }

  private static String label(Role role) {
    return "verbena " + role;
  }
}
