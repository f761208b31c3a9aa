package io.verbena.apps.acceptance;

import com.esotericsoftware.kryo.Kryo;
import java.util.List;
import org.apache.spark.serializer.KryoRegistrator;
import scala.Tuple2;
import scala.Tuple3;

/** Classes that the cases and Spark's Java API serialise beside those that Spark registers. */
public final class Registrator implements KryoRegistrator {
  private static final List<Class<?>> CLASSES =
      List.of(
          Tuple2[].class,
          Tuple3[].class,
          Object[].class,
          String[].class,
          Long[].class,
          long[][].class);

  @Override
  public void registerClasses(Kryo kryo) {
    CLASSES.forEach(kryo::register);
  }
}
