package io.verbena.spark.shim;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.scheduler.MapStatus$;
import org.apache.spark.storage.BlockManagerId;

/** Makes map statuses: from 4.1 on they carry a checksum of the rows. */
public final class MapStatuses {
  private static final MethodHandle APPLY = find();

  private MapStatuses() {}

  private static MethodHandle find() {
    MethodType old = methodType(MapStatus.class, BlockManagerId.class, long[].class, long.class);
    MethodType current = old.appendParameterTypes(long.class);
    return SparkApi.first(
        "MapStatus.apply",
        current,
        lookup -> lookup.findVirtual(MapStatus$.class, "apply", current).bindTo(MapStatus$.MODULE$),
        lookup ->
            MethodHandles.dropArguments(
                lookup.findVirtual(MapStatus$.class, "apply", old).bindTo(MapStatus$.MODULE$),
                old.parameterCount(),
                long.class));
  }

  /**
   * Makes the status of a map output.
   *
   * @param lengths bytes of each reduce partition; 0 means that nobody asks for it
   * @param checksum checksum of the rows, 0 without one; not used before 4.1
   */
  public static MapStatus of(BlockManagerId location, long[] lengths, long mapId, long checksum) {
    try {
      return (MapStatus) APPLY.invokeExact(location, lengths, mapId, checksum);
    } catch (Throwable e) {
      throw SparkApi.rethrow(e);
    }
  }
}
