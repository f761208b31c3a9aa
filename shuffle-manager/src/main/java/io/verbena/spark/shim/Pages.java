package io.verbena.spark.shim;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.UIUtils$;
import scala.Function0;
import scala.None$;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.xml.Node;
import scala.xml.Unparsed;

/**
 * Spark's frame around a page: from 4.2 on it takes one more switch. Spark 3.5 has another servlet
 * API, for which no page is made.
 */
public final class Pages {
  private static final Class<?> REQUEST = SparkApi.type("jakarta.servlet.http.HttpServletRequest");
  private static final MethodHandle HEADER = REQUEST == null ? null : find();

  private Pages() {}

  /** Null where the servlet API is there, yet not the one of this Spark. */
  private static MethodHandle find() {
    MethodType old =
        methodType(
            Seq.class,
            REQUEST,
            String.class,
            Function0.class,
            SparkUITab.class,
            Option.class,
            boolean.class,
            boolean.class);
    MethodType current = old.appendParameterTypes(boolean.class);
    MethodHandle newer =
        SparkApi.optional(lookup -> lookup.findVirtual(UIUtils$.class, "headerSparkPage", current));
    MethodHandle found =
        newer != null
            ? MethodHandles.insertArguments(newer, current.parameterCount(), false)
            : SparkApi.optional(
                lookup -> lookup.findVirtual(UIUtils$.class, "headerSparkPage", old));
    if (found == null) {
      return null;
    }
    // No help text, no plots of Spark's, no data tables.
    MethodHandle bound =
        MethodHandles.insertArguments(
            found.bindTo(UIUtils$.MODULE$), old.parameterCount() - 3, None$.MODULE$, false, false);
    return bound.asType(bound.type().changeParameterType(0, Object.class));
  }

  /** Whether this Spark's UI can have pages of ours. */
  public static boolean supported() {
    return HEADER != null;
  }

  /**
   * A page in Spark's frame.
   *
   * @param request the servlet request
   * @param html the page's content; goes out as it is
   */
  @SuppressWarnings("unchecked")
  public static Seq<Node> render(Object request, String title, String html, SparkUITab tab) {
    Function0<Seq<Node>> content = () -> new Unparsed(html);
    try {
      return (Seq<Node>) HEADER.invoke(request, title, content, tab);
    } catch (Throwable e) {
      throw SparkApi.rethrow(e);
    }
  }
}
