package io.verbena.spark.ui;

import org.apache.spark.ui.SparkUI;
import org.apache.spark.ui.SparkUITab;

/** The tab in Spark's UI. Loaded with Spark 4 only. */
final class ShuffleTab extends SparkUITab {
  static final String PREFIX = "rdma-shuffle";

  private ShuffleTab(SparkUI ui) {
    super(ui, PREFIX);
  }

  static void attach(SparkUI ui, ShuffleState state) {
    ShuffleTab tab = new ShuffleTab(ui);
    tab.attachPage(new ShufflePage(tab, state));
    ui.attachTab(tab);
  }

  @Override
  public String name() {
    return PageHtml.TITLE;
  }
}
