package io.verbena.apps.trajectory;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.LineReader;

/** Lines of a stream with their offsets; one line can be put back. */
final class DumpLines implements Closeable {
  /** Far more than any line of a dump; keeps binary data from being read as one endless line. */
  static final int LONGEST = 1 << 16;

  private static final int BUFFER = 1 << 16;

  private final LineReader reader;
  private final Text text = new Text();
  private final Line line = new Line();
  private long offset;
  private long nextOffset;
  private boolean putBack;

  /**
   * @param in closed with this object
   * @param offset of the first byte of the stream in its file
   */
  DumpLines(InputStream in, long offset) {
    this.reader = new LineReader(in, BUFFER);
    this.nextOffset = offset;
  }

  /**
   * Goes to the next line.
   *
   * @return null at the end; else the same object each time
   */
  Line next() throws IOException, MalformedException {
    if (putBack) {
      putBack = false;
      return line;
    }
    int consumed = reader.readLine(text, LONGEST, Integer.MAX_VALUE);
    offset = nextOffset;
    nextOffset += consumed;
    if (consumed == 0) {
      return null;
    }
    line.reset(text.getBytes(), text.getLength());
    if (text.getLength() == LONGEST) {
      throw new MalformedException(
          "lines of less than " + LONGEST + " bytes", "one that starts with " + line);
    }
    return line;
  }

  /** The next call of {@link #next} gives the line of the last call once more. */
  void putBack() {
    putBack = true;
  }

  /** Where the line of the last call of {@link #next} begins. */
  long offset() {
    return offset;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
