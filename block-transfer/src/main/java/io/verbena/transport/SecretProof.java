package io.verbena.transport;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * How one process shows another that it knows a secret, without telling it: the HMAC-SHA256 over
 * its role and all that both have said, challenges included, with the secret as key.
 */
public final class SecretProof {
  /** Bytes of a challenge. */
  public static final int CHALLENGE_SIZE = 16;

  /** Bytes of a proof. */
  public static final int SIZE = 32;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String ALGORITHM = "HmacSHA256";

  private SecretProof() {}

  /** Bytes that nobody can foresee. */
  public static byte[] newChallenge() {
    byte[] challenge = new byte[CHALLENGE_SIZE];
    RANDOM.nextBytes(challenge);
    return challenge;
  }

  /**
   * A proof.
   *
   * @param secret not empty
   * @param role who proves, and of which protocol, so that no proof serves twice
   * @param said what both have said, the other's challenge included
   */
  public static byte[] of(byte[] secret, String role, byte[]... said) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      mac.update(role.getBytes(StandardCharsets.US_ASCII));
      for (byte[] part : said) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JVM has " + ALGORITHM, e);
    }
  }

  /** Whether a proof is right; takes the same time however wrong it is. */
  public static boolean holds(byte[] proof, byte[] secret, String role, byte[]... said) {
    return MessageDigest.isEqual(proof, of(secret, role, said));
  }
}
