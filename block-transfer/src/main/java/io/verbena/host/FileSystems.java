package io.verbena.host;

import java.io.IOException;
import java.nio.file.Path;

/** What a made-up host's files cannot tell. Threads: any. */
public interface FileSystems {
  /** The file system that holds a folder. */
  Space space(Path folder) throws IOException;

  /** Whether this process may make files in a folder. */
  boolean isWritable(Path folder);

  /** Opens a device file for reading and writing, and closes it. */
  void open(Path file) throws IOException;
}
