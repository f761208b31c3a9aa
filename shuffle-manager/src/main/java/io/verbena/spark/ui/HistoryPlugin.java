package io.verbena.spark.ui;

import io.verbena.log.KeyedLogger;
import io.verbena.spark.shim.Migration;
import io.verbena.spark.shim.Pages;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.status.AppHistoryServerPlugin;
import org.apache.spark.status.ElementTrackingStore;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.util.kvstore.KVStore;
import scala.runtime.BoxedUnit;

/**
 * Brings the page into Spark's History Server, which finds this class as a service when the jar is
 * on its class path. With Spark 3.5 it does nothing.
 */
public final class HistoryPlugin implements AppHistoryServerPlugin, PluginReturns {
  private static final KeyedLogger LOG = KeyedLogger.of(HistoryPlugin.class);

  /** Called by Spark. */
  public HistoryPlugin() {}

  @Override
  public scala.collection.immutable.List<SparkListener> createListeners(
      SparkConf conf, ElementTrackingStore store) {
    if (!Pages.supported()) {
      return Migration.listOf(List.of());
    }
    ShuffleState state = new ShuffleState();
    store.onFlush(
        () -> {
          // Nothing for applications without the shuffle: they get no page.
          if (!state.snapshot().rows().isEmpty()) {
            store.write(new StoredState(state));
          }
          return BoxedUnit.UNIT;
        });
    return Migration.listOf(List.of(new FiguresListener(state)));
  }

  @Override
  public void setupUI(SparkUI ui) {
    if (Pages.supported()) {
      KVStore store = ui.store().store();
      try {
        ShuffleTab.attach(ui, store.read(StoredState.class, StoredState.KEY).state());
      } catch (NoSuchElementException e) {
        LOG.debug("An application without the shuffle", e);
      } catch (Exception e) {
        // The rest of the application's pages must not suffer.
        LOG.warn(
            "An application has no page \"RDMA Shuffle\": its stored state cannot be read; remove"
                + " the application's folder below spark.history.store.path to have it made anew",
            e);
      }
    }
  }
}
