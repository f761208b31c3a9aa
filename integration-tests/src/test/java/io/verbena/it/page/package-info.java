/** The page "RDMA Shuffle" in the UI of a driver and in the History Server, seen by a browser. */
package io.verbena.it.page;
