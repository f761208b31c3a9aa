package io.verbena.ping;

import io.verbena.transport.SecretProof;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * How the two sides make each other out on the TCP connection: version first, then each proves the
 * secret, as executors do before they read each other by {@code verbs}. Only then does {@code
 * serve} tell anything of itself.
 *
 * <pre>
 *   ping  -> serve  int magic, UTF version of the jar, 16 bytes challenge
 *   serve -> ping   int magic, UTF version of the jar, 16 bytes challenge, 32 bytes proof
 *   ping  -> serve  32 bytes proof
 *   serve -> ping   byte: 1 with a {@link Welcome}, 0 when the proof was wrong
 * </pre>
 *
 * A side that meets another version says its own and ends.
 */
final class Introduction {
  static final int MAGIC = 0x7e4b9146;

  private static final String SERVES = "verbena serve";
  private static final String PINGS = "verbena ping";
  private static final int KNOWN = 1;
  private static final int UNKNOWN = 0;

  private final String version;
  private final byte[] secret;

  /**
   * One side.
   *
   * @param version of this jar
   * @param secret not empty
   */
  Introduction(String version, byte[] secret) {
    this.version = version;
    this.secret = secret.clone();
  }

  /** A challenge, and what goes before it. */
  @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
  private record Hello(String version, byte[] challenge) {
    byte[] bytes() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      write(new DataOutputStream(bytes));
      return bytes.toByteArray();
    }

    void write(DataOutputStream out) throws IOException {
      out.writeInt(MAGIC);
      out.writeUTF(version);
      out.write(challenge);
    }

    /** Reads no more than the version when that is another. */
    static Hello read(DataInputStream in, String expected) throws IOException {
      int magic = in.readInt();
      if (magic != MAGIC) {
        throw new PingException(
            "what answers there is neither ping nor serve of this jar (magic number 0x%08x)"
                .formatted(magic),
            "give the port on which serve says that it listens");
      }
      String version = in.readUTF();
      if (!version.equals(expected)) {
        throw new PingException(
            "the versions differ: this side is %s, the other %s".formatted(expected, version),
            "use the same verbena.jar on all hosts, as a job does");
      }
      return new Hello(version, exactly(in, SecretProof.CHALLENGE_SIZE));
    }
  }

  private static byte[] exactly(DataInputStream in, int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException();
    }
    return bytes;
  }

  /**
   * Pings' side.
   *
   * @throws PingException when the other is not who it should be
   */
  Welcome ping(DataInputStream in, DataOutputStream out) throws IOException {
    Hello own = new Hello(version, SecretProof.newChallenge());
    own.write(out);
    out.flush();
    Hello other = Hello.read(in, version);
    byte[] proof = exactly(in, SecretProof.SIZE);
    boolean known = SecretProof.holds(proof, secret, SERVES, own.bytes(), other.challenge());
    out.write(SecretProof.of(secret, PINGS, own.bytes(), other.challenge()));
    out.flush();
    if (!known || in.readByte() != KNOWN) {
      throw new PingException("the secrets of the two sides differ", Secrets.MEND);
    }
    return Welcome.read(in);
  }

  /**
   * Serve's side.
   *
   * @param welcome what to tell the other
   * @throws PingException when the other is not who it should be
   */
  void serve(DataInputStream in, DataOutputStream out, Supplier<Welcome> welcome)
      throws IOException {
    Hello own = new Hello(version, SecretProof.newChallenge());
    Hello other;
    try {
      other = Hello.read(in, version);
    } catch (PingException e) {
      own.write(out);
      out.flush();
      throw e;
    }
    own.write(out);
    out.write(SecretProof.of(secret, SERVES, other.bytes(), own.challenge()));
    out.flush();
    byte[] proof = exactly(in, SecretProof.SIZE);
    if (!SecretProof.holds(proof, secret, PINGS, other.bytes(), own.challenge())) {
      out.writeByte(UNKNOWN);
      out.flush();
      throw new PingException("it does not know the secret", Secrets.MEND);
    }
    out.writeByte(KNOWN);
    welcome.get().write(out);
    out.flush();
  }
}
