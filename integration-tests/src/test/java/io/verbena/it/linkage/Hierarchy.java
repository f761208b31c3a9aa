package io.verbena.it.linkage;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/** Look-ups through superclasses and interfaces, in the order in which the JVM does them. */
final class Hierarchy {
  /** Their native methods take any descriptor. */
  private static final Set<String> POLYMORPHIC =
      Set.of("java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle");

  /** A member and the class that declares it. */
  record Member<T>(ClassNode owner, T node, int access) {
    boolean is(int flag) {
      return (access & flag) != 0;
    }
  }

  private final ClassSource source;

  Hierarchy(ClassSource source) {
    this.source = source;
  }

  /** A class with all its superclasses and interfaces, by name; the class itself first. */
  Map<String, ClassNode> of(ClassNode type) {
    Map<String, ClassNode> all = new LinkedHashMap<>();
    for (ClassNode each = type; each != null; each = superclass(each)) {
      all.put(each.name, each);
    }
    for (ClassNode each = type; each != null; each = superclass(each)) {
      addInterfaces(each, all);
    }
    return all;
  }

  private void addInterfaces(ClassNode type, Map<String, ClassNode> all) {
    for (String name : type.interfaces) {
      source
          .find(name)
          .ifPresent(
              found -> {
                all.putIfAbsent(name, found);
                addInterfaces(found, all);
              });
    }
  }

  ClassNode superclass(ClassNode type) {
    return type.superName == null ? null : source.find(type.superName).orElse(null);
  }

  /** The method that a reference to this class means; a concrete one before an abstract one. */
  Optional<Member<MethodNode>> method(ClassNode type, String name, String descriptor) {
    Optional<Member<MethodNode>> concrete =
        first(type, name, descriptor, method -> (method.access & Opcodes.ACC_ABSTRACT) == 0);
    return concrete.isPresent() ? concrete : first(type, name, descriptor, method -> true);
  }

  private Optional<Member<MethodNode>> first(
      ClassNode type, String name, String descriptor, Predicate<MethodNode> wanted) {
    for (ClassNode each : of(type).values()) {
      for (MethodNode method : each.methods) {
        boolean polymorphic =
            POLYMORPHIC.contains(each.name) && (method.access & Opcodes.ACC_NATIVE) != 0;
        if (method.name.equals(name)
            && (polymorphic || method.desc.equals(descriptor))
            && wanted.test(method)) {
          return Optional.of(new Member<>(each, method, method.access));
        }
      }
    }
    return Optional.empty();
  }

  /** The field that a reference to this class means. */
  Optional<Member<FieldNode>> field(ClassNode type, String name, String descriptor) {
    for (ClassNode each : of(type).values()) {
      for (FieldNode field : each.fields) {
        if (field.name.equals(name) && field.desc.equals(descriptor)) {
          return Optional.of(new Member<>(each, field, field.access));
        }
      }
    }
    return Optional.empty();
  }
}
