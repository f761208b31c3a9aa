package io.verbena.spark.ui;

import io.verbena.spark.shim.Pages;
import org.apache.spark.SparkContext;
import org.apache.spark.ui.SparkUI;

/** Brings the page into the UI of a living driver. */
public final class ShuffleUi {
  private ShuffleUi() {}

  /**
   * Adds the tab and the listener that feeds it.
   *
   * @param ui the context's UI
   * @return false when this Spark cannot have the page
   */
  public static boolean attach(SparkContext context, SparkUI ui) {
    if (!Pages.supported()) {
      return false;
    }
    ShuffleState state = new ShuffleState();
    context.listenerBus().addToStatusQueue(new FiguresListener(state));
    ShuffleTab.attach(ui, state);
    return true;
  }
}
