/**
 * The {@code verbs} transport: RDMA READs over reliable connected queue pairs. Everything but the
 * calls into the device is here: choice of the device, connections and their handshake, accounting
 * of queues, completions. Those calls are behind {@link io.verbena.transport.verbs.Fabric}, whose
 * implementation in {@code impl} a class loader of its own defines together with DiSNI; no type of
 * DiSNI appears here.
 *
 * <p>Addresses of memory leave {@code io.verbena.memory} for this package alone, since a device
 * wants them; they are never dereferenced here.
 */
package io.verbena.transport.verbs;
