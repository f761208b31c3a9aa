package io.verbena.transport.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {
  @ParameterizedTest
  @ValueSource(strings = {"10.99.0.1:4791", "[fd00:0:0:0:0:0:0:1]:1"})
  void anAddressIsReadAsItWasWritten(String text) throws Exception {
    assertThat(Addresses.text(Addresses.parse(text))).isEqualTo(text);
  }

  @Test
  void aScopeIsThisHostsAloneAndNotWritten() throws Exception {
    InetAddress local = InetAddress.getByName("fe80::1%1");
    assertThat(Addresses.text(new InetSocketAddress(local, 7))).isEqualTo("[fe80:0:0:0:0:0:0:1]:7");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10.0.0.1", "node-1:80", "10.0.0.1:", "10.0.0.1:0", "10.0.0.1:65536"})
  void whatIsNoAddressIsRefusedAndNamesAreNotLookedUp(String text) {
    assertThatIOException()
        .isThrownBy(() -> Addresses.parse(text))
        .withMessage("'" + text + "' is no address with a port");
  }

  @Test
  void thisHostHasNoLoopbackAddressForADevice() throws Exception {
    assertThat(Addresses.ofThisHost("localhost")).noneMatch(InetAddress::isLoopbackAddress);
  }

  @Test
  void aHostWithoutAnyAddressThatCouldBeADevicesIsToldSo() {
    assertThat(DeviceChoice.noAddress("rxe0", List.of()))
        .isEqualTo(
            "no address of this host belongs to RDMA device rxe0 (no network interface that is up"
                + " has an address): give its network interface an address, or bring it up (ip"
                + " address, ip link)");
    assertThat(DeviceChoice.noAddress("rxe0", List.of("10.0.0.1 belongs to none")))
        .contains("rxe0 (10.0.0.1 belongs to none): give");
  }
}
