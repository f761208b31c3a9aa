package io.verbena.spark;

import io.verbena.spark.RegistryMessage.Announce;
import io.verbena.spark.RegistryMessage.Lookup;
import io.verbena.spark.RegistryMessage.Push;
import io.verbena.spark.RegistryMessage.Register;
import io.verbena.spark.RegistryReply.Done;
import io.verbena.spark.RegistryReply.Gone;
import io.verbena.spark.RegistryReply.Located;
import io.verbena.spark.RegistryReply.Part;
import io.verbena.spark.RegistryReply.Refused;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Messages of the registry as byte arrays: Spark's RPC reads messages with a class loader that may
 * not know our classes. The first byte is the version, the second the kind; a reader that sees
 * another version refuses.
 */
final class RegistryCodec {
  static final int VERSION = 1;

  private static final int REGISTER = 1;
  private static final int ANNOUNCE = 2;
  private static final int LOOKUP = 3;
  private static final int PUSH = 4;
  private static final int DONE = 65;
  private static final int REFUSED = 66;
  private static final int LOCATED = 67;
  private static final int GONE = 68;

  private RegistryCodec() {}

  static byte[] encode(RegistryMessage message) {
    if (message instanceof Register register) {
      return write(
          REGISTER,
          out -> {
            out.writeUTF(register.executorId());
            out.writeUTF(register.host());
            FieldCodec.write(out, register.store());
            FieldCodec.write(out, register.local());
          });
    }
    if (message instanceof Announce announce) {
      return write(
          ANNOUNCE,
          out -> {
            out.writeUTF(announce.executorId());
            FieldCodec.write(out, announce.nonce());
            FieldCodec.write(out, announce.shuffle());
          });
    }
    if (message instanceof Lookup lookup) {
      return write(
          LOOKUP,
          out -> {
            out.writeInt(lookup.shuffleId());
            FieldCodec.writeStrings(out, lookup.executorIds());
          });
    }
    Push push = (Push) message;
    return write(
        PUSH,
        out -> {
          FieldCodec.write(out, push.figures());
          out.writeBoolean(push.last());
        });
  }

  static RegistryMessage decodeMessage(byte[] bytes) throws IOException {
    DataInputStream in = open(bytes);
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case REGISTER ->
          new Register(
              in.readUTF(), in.readUTF(), FieldCodec.readStore(in), FieldCodec.readLocal(in));
      case ANNOUNCE ->
          new Announce(in.readUTF(), FieldCodec.readUuid(in), FieldCodec.readShuffle(in));
      case LOOKUP -> new Lookup(in.readInt(), FieldCodec.readStrings(in));
      case PUSH -> new Push(FieldCodec.readFigures(in), in.readBoolean());
      default -> throw new IOException("registry message of unknown kind " + kind);
    };
  }

  static byte[] encode(RegistryReply reply) {
    if (reply instanceof Refused refused) {
      return write(REFUSED, out -> out.writeUTF(refused.reason()));
    }
    if (reply instanceof Located located) {
      return write(
          LOCATED,
          out ->
              FieldCodec.writeMap(
                  out,
                  located.parts(),
                  part -> {
                    out.writeUTF(part.host());
                    FieldCodec.write(out, part.store());
                    FieldCodec.write(out, part.shuffle());
                    FieldCodec.write(out, part.local());
                  }));
    }
    if (reply instanceof Gone gone) {
      return write(GONE, out -> out.writeInt(gone.shuffleId()));
    }
    return write(DONE, out -> out.writeBoolean(((Done) reply).severalHosts()));
  }

  static RegistryReply decodeReply(byte[] bytes) throws IOException {
    DataInputStream in = open(bytes);
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case DONE -> new Done(in.readBoolean());
      case REFUSED -> new Refused(in.readUTF());
      case GONE -> new Gone(in.readInt());
      case LOCATED ->
          new Located(
              FieldCodec.readMap(
                  in,
                  () ->
                      new Part(
                          in.readUTF(),
                          FieldCodec.readStore(in),
                          FieldCodec.readShuffle(in),
                          FieldCodec.readLocal(in))));
      default -> throw new IOException("registry reply of unknown kind " + kind);
    };
  }

  private static DataInputStream open(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    int version = in.readUnsignedByte();
    if (version != VERSION) {
      throw new IOException(
          "registry message of version "
              + version
              + ", this side speaks "
              + VERSION
              + "; use the same jar on driver and executors");
    }
    return in;
  }

  private interface Body {
    void write(DataOutputStream out) throws IOException;
  }

  private static byte[] write(int kind, Body body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeByte(kind);
      body.write(out);
    } catch (IOException e) {
      // The sink is memory; what remains is a string too long for its length field.
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
