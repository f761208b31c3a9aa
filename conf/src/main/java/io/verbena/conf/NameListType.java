package io.verbena.conf;

import java.util.ArrayList;
import java.util.List;

/** An ordered list of distinct constants of an enum, at least one, with commas between. */
record NameListType<E extends Enum<E> & DocumentedValue>(NameType<E> element)
    implements ValueType<List<E>> {

  @Override
  public String name() {
    return "list of names";
  }

  @Override
  public String allowed() {
    return "one or more of "
        + String.join(", ", element.spellings())
        + ", each at most once, best first, with commas between";
  }

  @Override
  public List<E> values() {
    return element.values();
  }

  @Override
  public Parsed<List<E>> parse(String text) {
    List<E> result = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      String name = part.trim();
      if (name.isEmpty()) {
        return Parsed.fault("a name is missing beside a comma", "drop the comma");
      }
      Parsed<E> parsed = element.parse(name);
      if (parsed instanceof Parsed.Fault<E> refused) {
        return refused.as();
      }
      E value = ((Parsed.Value<E>) parsed).value();
      if (result.contains(value)) {
        return Parsed.fault(value.spelling() + " is named twice", "name it once");
      }
      result.add(value);
    }
    return Parsed.value(List.copyOf(result));
  }
}
