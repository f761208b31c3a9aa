package io.verbena.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RdmaOptionsTest {

  static Stream<ConfOption<?>> options() {
    return RdmaOptions.all().stream();
  }

  @Test
  void theRegistryHoldsEveryDeclaredOptionOnce() throws IllegalAccessException {
    List<ConfOption<?>> declared = new ArrayList<>();
    for (Field field : RdmaOptions.class.getDeclaredFields()) {
      if (field.getType() == ConfOption.class) {
        declared.add((ConfOption<?>) field.get(null));
      }
    }
    assertThat(RdmaOptions.all()).containsExactlyInAnyOrderElementsOf(declared);
    assertThat(options().map(ConfOption::key)).doesNotHaveDuplicates();
  }

  @Test
  void theRegistryIsOrderedByGroup() {
    assertThat(options().map(ConfOption::group).toList()).isSorted();
  }

  @ParameterizedTest
  @MethodSource("options")
  void everyOptionIsDocumented(ConfOption<?> option) {
    assertThat(option.key()).startsWith(RdmaOptions.PREFIX);
    assertThat(option.since()).matches("[0-9]+\\.[0-9]+\\.[0-9]+");
    assertThat(option.doc()).hasSizeGreaterThan(40).endsWith(".").doesNotContain("\n");
    assertThat(option.allowed()).isNotBlank().doesNotEndWith(".");
    assertThat(option.toString()).isEqualTo(option.key());
  }

  @ParameterizedTest
  @MethodSource("options")
  void everyOptionHasATypedMethodThatGivesItsDefault(ConfOption<?> option)
      throws ReflectiveOperationException {
    // pool.regionSize -> poolRegionSize
    StringBuilder name = new StringBuilder();
    for (String part : option.key().substring(RdmaOptions.PREFIX.length()).split("\\.", -1)) {
      name.append(
          name.length() == 0 ? part : Character.toUpperCase(part.charAt(0)) + part.substring(1));
    }
    Method method = RdmaConf.class.getMethod(name.toString());
    assertThat(method.invoke(RdmaConf.defaults())).isEqualTo(option.defaultValue());
  }

  @Test
  void everyTypedMethodBelongsToAnOption() {
    long typedMethods =
        Arrays.stream(RdmaConf.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .filter(method -> !method.getName().equals("toString"))
            .count();
    assertThat(typedMethods).isEqualTo(RdmaOptions.all().size());
  }

  @ParameterizedTest
  @MethodSource("options")
  void everyDefaultMayAlsoBeGiven(ConfOption<?> option) {
    RdmaConf conf = Confs.read(option.key(), option.defaultText());
    assertThat(conf.toString()).contains(option.key() + "=" + option.defaultText());
  }

  @ParameterizedTest
  @MethodSource("options")
  void everyOptionRefusesNonsenseWithKeyValueRangeAndDefault(ConfOption<?> option) {
    String problem = Confs.problemOf(option, "non sense");
    String shownDefault = option.defaultText().isEmpty() ? "nothing" : option.defaultText();
    assertThat(problem)
        .startsWith(option.key() + "=non sense: ")
        .contains("; allowed: " + option.allowed() + " (default: " + shownDefault + "); ");
  }

  @ParameterizedTest
  @MethodSource("options")
  void everyOptionThatHasADefaultRefusesAnEmptyValue(ConfOption<?> option) {
    if (option.defaultText().isEmpty()) {
      assertThat(Confs.read(option, " ")).isNotNull();
      return;
    }
    assertThat(Confs.problemOf(option, " "))
        .startsWith(option.key() + "= : no value given; allowed: " + option.allowed())
        .endsWith("; give a value or leave the key out");
  }

  @ParameterizedTest
  @MethodSource("options")
  void everyOptionTakesItsValueWithSpacesAround(ConfOption<?> option) {
    assertThat(Confs.read(option, "  " + option.defaultText() + " ")).isNotNull();
  }

  @Test
  void aDefaultThatIsNotAllowedIsADefectOfTheDefinition() {
    assertThatIllegalStateException()
        .isThrownBy(
            () -> ConfOption.named(OptionGroup.CHECKS, "broken").of(new BooleanType(), "perhaps"))
        .withMessage("default of spark.shuffle.rdma.broken is not allowed: perhaps");
  }
}
