package io.verbena.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.memory.MemoryView;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ControlTest {
  private final MemoryView area = MemoryView.of(ByteBuffer.allocateDirect(Control.size()));
  private final ControlWriter writer = new ControlWriter(area, 1, 2);

  @Test
  void aRegionThatIsGivenBackIsMarkedAlone() {
    writer.addRegion(0, 0, 4096, 1, 4096, null);
    writer.addRegion(1, 0, 4096, 1, 4096, new RemoteKey(0, 0));
    writer.addRegion(2, 0, 4096, 1, 4096, null);

    writer.retireRegion(0);
    writer.retireRegion(2);

    assertThat(ControlReader.retired(area, 0)).isTrue();
    assertThat(ControlReader.retired(area, 1)).isFalse();
    assertThat(ControlReader.retired(area, 2)).isTrue();
    assertThat(ControlReader.region(area, 0)).as("records stay as they are").isPresent();
  }
}
