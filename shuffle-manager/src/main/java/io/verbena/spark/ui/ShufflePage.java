package io.verbena.spark.ui;

import io.verbena.spark.shim.Pages;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.WebUIPage;
import scala.collection.immutable.Seq;
import scala.xml.Node;

/**
 * The page inside Spark's frame. Loaded with Spark 4 only: earlier ones have another servlet API.
 */
final class ShufflePage extends WebUIPage {
  private final SparkUITab tab;
  private final ShuffleState state;

  ShufflePage(SparkUITab tab, ShuffleState state) {
    super("");
    this.tab = tab;
    this.state = state;
  }

  @Override
  public Seq<Node> render(HttpServletRequest request) {
    return Pages.render(request, PageHtml.TITLE, PageHtml.of(state.snapshot()), tab);
  }
}
