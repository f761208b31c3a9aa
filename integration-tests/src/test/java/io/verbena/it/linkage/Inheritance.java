package io.verbena.it.linkage;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * What goes wrong between a class and the types of others that it extends: methods that nobody
 * implements, and methods that look like overriding but differ in what they return, so that the
 * other's code would run.
 */
final class Inheritance {
  private final Set<String> own;
  private final Hierarchy hierarchy;

  Inheritance(List<ClassNode> own, Hierarchy hierarchy) {
    this.own = own.stream().map(type -> type.name).collect(Collectors.toSet());
    this.hierarchy = hierarchy;
  }

  List<String> faults(ClassNode type) {
    List<String> faults = new ArrayList<>();
    boolean concrete = (type.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE)) == 0;
    for (ClassNode parent : hierarchy.of(type).values()) {
      if (!own.contains(parent.name) && (parent.access & Opcodes.ACC_FINAL) != 0) {
        faults.add("extends " + parent.name + ", which is final");
      }
      for (MethodNode method : parent.methods) {
        if (concrete && is(method, Opcodes.ACC_ABSTRACT) && !isImplemented(type, method)) {
          faults.add("does not implement " + name(parent, method));
        }
        if (!own.contains(parent.name)) {
          checkOverriding(type, parent, method, faults);
        }
      }
    }
    return faults;
  }

  private boolean isImplemented(ClassNode type, MethodNode method) {
    return hierarchy
        .method(type, method.name, method.desc)
        .filter(found -> !found.is(Opcodes.ACC_ABSTRACT))
        .isPresent();
  }

  private void checkOverriding(
      ClassNode type, ClassNode parent, MethodNode method, List<String> faults) {
    if (method.name.startsWith("<")
        || is(method, Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE | Opcodes.ACC_SYNTHETIC)) {
      return;
    }
    List<MethodNode> alike =
        type.methods.stream()
            .filter(ours -> ours.name.equals(method.name) && !is(ours, Opcodes.ACC_STATIC))
            .filter(ours -> arguments(ours).equals(arguments(method)))
            .toList();
    boolean exact = alike.stream().anyMatch(ours -> ours.desc.equals(method.desc));
    if (exact && is(method, Opcodes.ACC_FINAL)) {
      faults.add("overrides " + name(parent, method) + ", which is final");
    } else if (!alike.isEmpty() && !exact && !isBridged(type, method)) {
      faults.add("does not override " + name(parent, method) + ", only its name");
    }
  }

  /**
   * Whether a class of ours above it turns calls of that method into calls of what looks like it.
   */
  private boolean isBridged(ClassNode type, MethodNode method) {
    return hierarchy
        .method(type, method.name, method.desc)
        .filter(found -> own.contains(found.owner().name) && found.is(Opcodes.ACC_BRIDGE))
        .isPresent();
  }

  private static List<Type> arguments(MethodNode method) {
    return List.of(Type.getArgumentTypes(method.desc));
  }

  private static boolean is(MethodNode method, int flags) {
    return (method.access & flags) != 0;
  }

  private static String name(ClassNode owner, MethodNode method) {
    return owner.name + "." + method.name + method.desc;
  }
}
