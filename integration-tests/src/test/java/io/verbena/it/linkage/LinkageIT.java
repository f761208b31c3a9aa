package io.verbena.it.linkage;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.it.cluster.JavaHome;
import io.verbena.it.cluster.ProjectJars;
import io.verbena.it.cluster.SparkHome;
import io.verbena.it.cluster.SparkHomes;
import io.verbena.it.matrix.Target;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;

/** Every reference of the one jar is there in every supported version, and can be reached. */
final class LinkageIT {
  static final List<Target> TARGETS = Target.ALL;

  private static final Target NEWEST = TARGETS.get(TARGETS.size() - 1);
  private static final String SHIMS = "io/verbena/spark/shim/";
  private static final String UI = "io/verbena/spark/ui/";

  /** The page's classes are loaded once {@code Pages} has found the servlet API of Spark 4. */
  private static final Set<String> NOT_BEFORE_4 =
      Set.of(SHIMS + "CurrentBlockResolver", UI + "ShufflePage", UI + "ShuffleTab");

  @ParameterizedTest
  @FieldSource("TARGETS")
  void everythingThatTheUserJarNamesIsThere(Target target) throws Exception {
    // Each is loaded where its constructor of Spark's class exists, and nowhere else.
    Predicate<ClassNode> loaded =
        target.isLine3()
            ? type -> !NOT_BEFORE_4.contains(type.name)
            : type -> !type.name.equals(SHIMS + "LegacyBlockResolver");
    assertThat(faults(target, ProjectJars.verbena(), "io/verbena/", loaded)).isEmpty();
  }

  @ParameterizedTest
  @FieldSource("TARGETS")
  void everythingThatTheAcceptanceApplicationNamesIsThere(Target target) throws Exception {
    assertThat(
            faults(target, ProjectJars.applications(), "io/verbena/apps/acceptance/", all -> true))
        .isEmpty();
    assertThat(
            faults(target, ProjectJars.applications(), "io/verbena/it/cluster/WarmUp", all -> true))
        .isEmpty();
  }

  @Test
  void whatIsMissingInAVersionIsNamedWithTheClassThatWantsIt() throws Exception {
    String constructor = "org/apache/spark/shuffle/IndexShuffleBlockResolver.<init>";
    assertThat(faults(TARGETS.get(0), ProjectJars.verbena(), SHIMS, all -> true))
        .singleElement()
        .asString()
        .startsWith(SHIMS + "CurrentBlockResolver.<init>: " + constructor)
        .endsWith(": no such method");
    assertThat(faults(NEWEST, ProjectJars.verbena(), SHIMS, all -> true))
        .singleElement()
        .asString()
        .startsWith(SHIMS + "LegacyBlockResolver.<init>: " + constructor)
        .endsWith(": no such method");
  }

  /** They are found by name; where they are not, rows take Spark's own, slower way. */
  @ParameterizedTest
  @FieldSource("TARGETS")
  void fieldsOfSparksRowSerializerAreThere(Target target) throws Exception {
    SparkHome home = SparkHomes.provide(target.spark(), target.scala());
    String serializer = "org/apache/spark/sql/execution/UnsafeRowSerializerInstance";
    try (ClassSource source =
        new ClassSource(JavaHome.current().path()).addAll(home.path().resolve("jars"))) {
      ClassNode type = source.find(serializer).orElseThrow();
      String prefix = serializer.replace('/', '$') + "$$";
      assertThat(type.fields)
          .filteredOn(field -> (field.access & Opcodes.ACC_PUBLIC) != 0)
          .extracting(field -> field.name)
          .contains(prefix + "numFields", prefix + "dataSize");
    }
  }

  private static List<String> faults(
      Target target, Path jar, String below, Predicate<ClassNode> loaded) throws Exception {
    SparkHome home = SparkHomes.provide(target.spark(), target.scala());
    JavaHome java = JavaHome.find(target.java()).orElseGet(JavaHome::current);
    List<ClassNode> classes = ClassSource.classes(jar, below).stream().filter(loaded).toList();
    assertThat(classes).isNotEmpty();
    try (ClassSource source = new ClassSource(java.path()).add(jar)) {
      source.addAll(home.path().resolve("jars"));
      return Linkage.faults(classes, source);
    }
  }
}
