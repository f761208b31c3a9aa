package io.verbena.apps.trajectory;

import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/**
 * LAMMPS text dumps as {@code ReadItem}s. Plain files are split between frames, compressed ones are
 * read whole by one task. Public because Hadoop makes it by its name.
 */
public final class TrajectoryInputFormat extends FileInputFormat<NullWritable, Object> {
  @Override
  protected boolean isSplitable(JobContext context, Path file) {
    return new CompressionCodecFactory(context.getConfiguration()).getCodec(file) == null;
  }

  @Override
  public RecordReader<NullWritable, Object> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new Reader();
  }

  private static final class Reader extends RecordReader<NullWritable, Object> {
    private FSDataInputStream file;
    private long start;
    private long length;
    private DumpReader dump;
    private ReadItem failure;
    private ReadItem current;

    @Override
    public void initialize(InputSplit inputSplit, TaskAttemptContext context) {
      FileSplit split = (FileSplit) inputSplit;
      start = split.getStart();
      length = split.getLength();
      String name = displayName(split.getPath());
      try {
        CompressionCodec codec =
            new CompressionCodecFactory(context.getConfiguration()).getCodec(split.getPath());
        file = split.getPath().getFileSystem(context.getConfiguration()).open(split.getPath());
        if (codec != null) {
          InputStream plain = codec.createInputStream(file);
          dump = new DumpReader(plain, name, 0, Long.MAX_VALUE);
        } else {
          file.seek(Math.max(0, start - DumpReader.LOOK_BACK));
          dump = new DumpReader(file, name, start, start + length);
        }
      } catch (IOException | RuntimeException e) {
        // Codecs say by unchecked exceptions that their native library is missing.
        failure =
            new InputProblem(
                new Origin(name, start, 0), "", 1, "a readable file", "that it is not: " + e);
      }
    }

    @Override
    public boolean nextKeyValue() {
      if (dump != null) {
        current = dump.next();
      } else {
        current = failure;
        failure = null;
      }
      return current != null;
    }

    @Override
    public NullWritable getCurrentKey() {
      return NullWritable.get();
    }

    @Override
    public Object getCurrentValue() {
      return current;
    }

    @Override
    public float getProgress() throws IOException {
      return file == null || length == 0
          ? 0
          : Math.min(1f, Math.max(0, file.getPos() - start) / (float) length);
    }

    @Override
    public void close() throws IOException {
      if (dump != null) {
        dump.close();
      } else if (file != null) {
        file.close();
      }
    }
  }

  /** Local files as the user writes them, others with their scheme. */
  static String displayName(Path path) {
    return "file".equals(path.toUri().getScheme()) ? path.toUri().getPath() : path.toString();
  }
}
