package io.verbena.transport.verbs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.verbena.memory.MemoryView;
import io.verbena.transport.verbs.Handshake.Answer;
import io.verbena.transport.verbs.Handshake.Ready;
import io.verbena.transport.verbs.Handshake.Refusal;
import io.verbena.transport.verbs.Handshake.Request;
import io.verbena.transport.verbs.Handshake.Role;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class HandshakeTest {
  private static final byte[] SECRET = "secret".getBytes(UTF_8);

  private final Request request = new Request(11, -12, Handshake.newChallenge());
  private final byte[] challenge = Handshake.newChallenge();
  private final MemoryView memory = MemoryView.of(ByteBuffer.allocateDirect(256));

  /** InfiniBand carries 56 bytes with a request, and 196 with an acceptance. */
  @Test
  void messagesFitIntoThePrivateDataOfInfiniBand() {
    assertThat(Handshake.encode(request)).hasSize(Handshake.REQUEST_SIZE).hasSizeLessThan(57);
    assertThat(Handshake.encode(new Answer(challenge, new byte[Handshake.PROOF_SIZE])))
        .hasSize(Handshake.ANSWER_SIZE)
        .hasSizeLessThan(197);
  }

  @Test
  void aRequestIsReadAsItWasWrittenAlsoWithPaddingBehind() throws Exception {
    byte[] padded = Arrays.copyOf(Handshake.encode(request), 56);

    Request read = Handshake.request(padded);

    assertThat(read.nonceHigh()).isEqualTo(11);
    assertThat(read.nonceLow()).isEqualTo(-12);
    assertThat(read.challenge()).isEqualTo(request.challenge());
  }

  @Test
  void anAnswerIsReadAsItWasWritten() throws Exception {
    byte[] proof = Handshake.proof(SECRET, Role.OWNER, request, challenge);

    Answer read = Handshake.answer(Handshake.encode(new Answer(challenge, proof)));

    assertThat(read.challenge()).isEqualTo(challenge);
    assertThat(read.proof()).isEqualTo(proof);
  }

  @Test
  void theLastMessagesAreReadAsTheyWereWritten() throws Exception {
    Ready ready = new Ready(0x7fff_1234_5678L, 1 << 20, -5);
    byte[] proof = Handshake.proof(SECRET, Role.READER, request, challenge);
    Handshake.putReady(memory, 0, ready);
    Handshake.putProof(memory, 128, proof);

    assertThat(Handshake.takeReady(memory, 0)).isEqualTo(ready);
    assertThat(Handshake.takeProof(memory, 128)).isEqualTo(proof);
  }

  @Test
  void aProofHoldsForItsSecretRoleAndChallengesAlone() {
    byte[] proof = Handshake.proof(SECRET, Role.READER, request, challenge);

    assertThat(Handshake.proves(proof, SECRET, Role.READER, request, challenge)).isTrue();
    assertThat(Handshake.proves(proof, "other".getBytes(UTF_8), Role.READER, request, challenge))
        .isFalse();
    assertThat(Handshake.proves(proof, SECRET, Role.OWNER, request, challenge)).isFalse();
    assertThat(Handshake.proves(proof, SECRET, Role.READER, request, Handshake.newChallenge()))
        .isFalse();
    Request other = new Request(11, -12, Handshake.newChallenge());
    assertThat(Handshake.proves(proof, SECRET, Role.READER, other, challenge)).isFalse();
    Request elsewhere = new Request(11, -13, request.challenge());
    assertThat(Handshake.proves(proof, SECRET, Role.READER, elsewhere, challenge)).isFalse();
  }

  @Test
  void whatIsNoMessageIsRefusedWithTheReason() {
    assertThatIOException()
        .isThrownBy(() -> Handshake.request(new byte[3]))
        .withMessage("3 bytes are no connection request");
    assertThatIOException()
        .isThrownBy(() -> Handshake.request(new byte[56]))
        .withMessage("a connection request with the magic number 0x00000000, expected 0x7e4be4d0");
    byte[] newer = Handshake.encode(request);
    newer[7] = 9;
    assertThatIOException()
        .isThrownBy(() -> Handshake.request(newer))
        .withMessage("a connection request of version 9, this side speaks 1");
    assertThatIOException()
        .isThrownBy(() -> Handshake.takeReady(memory, 0))
        .withMessageContaining("the place of a control area with the magic number 0x00000000");
  }

  @Test
  void refusalsTellTheirReason() {
    for (Refusal refusal : Refusal.values()) {
      assertThat(Handshake.refusalText(Arrays.copyOf(Handshake.encode(refusal), 148)))
          .isEqualTo(refusal.text());
    }
    assertThat(Handshake.refusalText(new byte[0]))
        .contains("nothing of this application listens there");
  }
}
