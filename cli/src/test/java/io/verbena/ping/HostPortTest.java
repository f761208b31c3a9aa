package io.verbena.ping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {
  @ParameterizedTest
  @CsvSource({
    "node7, node7, 18519",
    "node7:9, node7, 9",
    "10.0.0.1:65535, 10.0.0.1, 65535",
    "fe80::1, fe80::1, 18519",
    "[fe80::1]:9, fe80::1, 9",
    "[fe80::1%eth0], fe80::1%eth0, 18519"
  })
  void hostsAndAddressesWithAndWithoutPorts(String text, String host, int port) {
    assertThat(HostPort.parse(text)).isEqualTo(new HostPort(host, port));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ":9", "node:", "node:x", "[fe80::1", "node:0", "node:65536"})
  void whatIsNoHostAndPortIsRefused(String text) {
    assertThatThrownBy(() -> HostPort.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void textCanBeReadAgain() {
    HostPort address = new HostPort("fe80::1", 9);
    assertThat(HostPort.parse(address.toString())).isEqualTo(address);
  }
}
