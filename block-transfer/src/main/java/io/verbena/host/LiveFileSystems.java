package io.verbena.host;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Those of the host that this process runs on. */
final class LiveFileSystems implements FileSystems {
  @Override
  public Space space(Path folder) throws IOException {
    FileStore store = Files.getFileStore(folder);
    return new Space(
        store.type(), store.getTotalSpace(), store.getUsableSpace(), store.getBlockSize());
  }

  @Override
  public boolean isWritable(Path folder) {
    return Files.isDirectory(folder) && Files.isWritable(folder);
  }

  @Override
  public void open(Path file) throws IOException {
    FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE).close();
  }
}
