package io.verbena.spark;

import io.verbena.fetch.FetchException;
import io.verbena.fetch.FetchInterruptedException;
import io.verbena.fetch.FetchedSegment;
import java.io.IOException;
import java.io.InputStream;

/** A segment's bytes, decrypted and decompressed. */
final class DecodedStream extends BlockStream {
  private final FetchedSegment segment;
  private final BlockEncoding encoding;
  private InputStream decoded;
  private FetchException fault;

  DecodedStream(FetchedSegment segment, BlockEncoding encoding) {
    this.segment = segment;
    this.encoding = encoding;
  }

  @Override
  FetchException fault() {
    return fault;
  }

  @Override
  public int read() throws IOException {
    try {
      return decoded().read();
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    }
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    try {
      return decoded().read(bytes, offset, length);
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    }
  }

  @Override
  public int available() throws IOException {
    return decoded == null ? 0 : decoded.available();
  }

  /** Opened at the first read: codec and cipher read ahead when they are made. */
  private InputStream decoded() {
    if (decoded == null) {
      decoded = encoding.decode(segment.stream(), segment.compressed(), segment.encrypted());
    }
    return decoded;
  }

  private IOException failed(Exception e) {
    if (e instanceof FetchInterruptedException interrupted) {
      throw interrupted;
    }
    for (Throwable cause = e; cause != null && fault == null; cause = cause.getCause()) {
      if (cause instanceof FetchException found) {
        fault = found;
      }
    }
    if (fault == null && (segment.compressed() || segment.encrypted())) {
      fault = segment.corrupt(e);
    }
    if (fault != null) {
      return fault;
    }
    return e instanceof IOException io ? io : new IOException(e);
  }

  @Override
  public void close() throws IOException {
    if (decoded != null) {
      decoded.close();
    }
  }
}
