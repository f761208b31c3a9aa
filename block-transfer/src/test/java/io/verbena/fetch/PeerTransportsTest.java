package io.verbena.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PeerTransportsTest {
  private final PeerTransports transports = new PeerTransports();

  @Test
  void peersAreGivenByTransportAsRanges() {
    for (int id = 0; id < 200; id++) {
      transports.put(Integer.toString(id), id == 7 ? "netty" : "shm");
    }
    transports.put("driver", "shm");

    assertThat(transports.byTransport()).isEqualTo(Map.of("shm", "0-6,8-199,driver", "netty", "7"));
  }

  @Test
  void theLastChoiceCountsAndNothingIsMadeTwice() {
    transports.put("1", "verbs");
    Map<String, String> before = transports.byTransport();
    transports.put("1", "verbs");
    assertThat(transports.byTransport()).isSameAs(before);

    transports.put("1", "netty");
    assertThat(transports.byTransport()).isEqualTo(Map.of("netty", "1"));
  }

  @Test
  void theOldestChoiceGoesWhenThereAreTooMany() {
    for (int id = 0; id < PeerTransports.MAX_PEERS; id++) {
      transports.put(Integer.toString(id), "shm");
    }
    transports.put("0", "netty");
    transports.put("driver", "netty");

    assertThat(transports.byTransport())
        .isEqualTo(Map.of("shm", "2-" + (PeerTransports.MAX_PEERS - 1), "netty", "0,driver"));
  }

  @Test
  void rangesGiveTheSameIdsBack() {
    List<String> ids = List.of("0", "1", "2", "5", "10", "11", "007", "driver", "x-1");

    assertThat(IdRanges.ids(IdRanges.text(ids), 100)).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(IdRanges.text(List.of())).isEmpty();
    assertThat(IdRanges.ids("", 10)).isEmpty();
  }

  @Test
  void anAbsurdRangeTakesNoMemory() {
    assertThat(IdRanges.ids("0-999999999,3", 4)).containsExactly("0", "1", "2", "3");
    assertThat(IdRanges.ids("5-2", 4)).isEmpty();
    assertThat(IdRanges.ids("99999999999-99999999999999", 4)).hasSize(1);
  }
}
