package io.verbena.transport.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EndpointsTest {
  private static final class Nobody implements Endpoints.Endpoint {
    @Override
    public void completed(int low, int status, int vendorError) {}

    @Override
    public void lost(String reason) {}
  }

  @Test
  void completionsFindTheirEndpointHoweverManyThereAreAndNobodyAfterItsEnd() {
    Endpoints endpoints = new Endpoints();
    Map<Integer, Endpoints.Endpoint> live = new HashMap<>();
    Random random = new Random(3);
    for (int i = 0; i < 2000; i++) {
      Nobody one = new Nobody();
      int number = endpoints.add(one);
      assertThat(live).doesNotContainKey(number);
      live.put(number, one);
      if (random.nextInt(3) > 0) {
        int gone = live.keySet().iterator().next();
        endpoints.remove(gone);
        live.remove(gone);
        assertThat(endpoints.find(Endpoints.wrId(gone, -1))).isNull();
      }
    }
    live.forEach(
        (number, endpoint) ->
            assertThat(endpoints.find(Endpoints.wrId(number, -7))).isSameAs(endpoint));
    assertThat(endpoints.all()).containsExactlyInAnyOrderElementsOf(live.values());
  }

  @Test
  void anIdKeepsTheEndpointsOwnPart() {
    assertThat(Endpoints.low(Endpoints.wrId(5, -1))).isEqualTo(-1);
    assertThat(Endpoints.low(Endpoints.wrId(Integer.MAX_VALUE, 17))).isEqualTo(17);
  }
}
