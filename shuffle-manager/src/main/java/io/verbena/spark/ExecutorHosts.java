package io.verbena.spark;

import io.verbena.log.KeyedLogger;
import java.util.Arrays;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import org.apache.spark.SparkExecutorInfo;
import org.apache.spark.storage.BlockManagerId;
import scala.Option;

/** Whether Spark has executors on more than one host. On the driver. */
final class ExecutorHosts implements BooleanSupplier {
  private static final KeyedLogger LOG = KeyedLogger.of(ExecutorHosts.class);

  private final BlockManagerId driver;

  /**
   * @param driver which Spark lists among the executors
   */
  ExecutorHosts(BlockManagerId driver) {
    this.driver = driver;
  }

  /** Never fails: what cannot be told is no reason to compress. */
  @Override
  public boolean getAsBoolean() {
    try {
      return hosts().size() > 1;
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("Spark does not tell its executors", e);
      return false;
    }
  }

  /** Hosts of executors. */
  Set<String> hosts() {
    Option<SparkContext> context = SparkContext$.MODULE$.getActive();
    if (context.isEmpty()) {
      return Set.of();
    }
    return Arrays.stream(context.get().statusTracker().getExecutorInfos())
        .filter(each -> !isDriver(each))
        .map(SparkExecutorInfo::host)
        .collect(Collectors.toSet());
  }

  private boolean isDriver(SparkExecutorInfo each) {
    return each.port() == driver.port() && each.host().equals(driver.host());
  }
}
