package io.verbena.it.linkage;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * What of a class does not link. Each fault names the place, the member and what is wrong.
 *
 * <p>Threads: one.
 */
final class Linkage {
  private final ClassSource source;
  private final Hierarchy hierarchy;
  private final TreeSet<String> faults = new TreeSet<>();
  private ClassNode type;
  private String place;

  private Linkage(ClassSource source) {
    this.source = source;
    this.hierarchy = new Hierarchy(source);
  }

  /** The faults of these classes; empty when all of them link. */
  static List<String> faults(List<ClassNode> classes, ClassSource source) {
    Linkage linkage = new Linkage(source);
    Inheritance inheritance = new Inheritance(classes, linkage.hierarchy);
    for (ClassNode each : classes) {
      linkage.check(each);
      inheritance.faults(each).forEach(fault -> linkage.faults.add(each.name + ": " + fault));
    }
    return List.copyOf(linkage.faults);
  }

  private void check(ClassNode checked) {
    type = checked;
    place = checked.name;
    checkClass(checked.superName);
    checked.interfaces.forEach(this::checkClass);
    for (FieldNode field : checked.fields) {
      checkType(Type.getType(field.desc));
    }
    for (MethodNode method : checked.methods) {
      place = checked.name + "." + method.name;
      checkType(Type.getMethodType(method.desc));
      method.exceptions.forEach(this::checkClass);
      for (TryCatchBlockNode block : method.tryCatchBlocks) {
        if (block.type != null) {
          checkClass(block.type);
        }
      }
      for (AbstractInsnNode instruction : method.instructions) {
        checkInstruction(instruction);
      }
    }
  }

  private void checkInstruction(AbstractInsnNode instruction) {
    if (instruction instanceof MethodInsnNode call) {
      checkMethod(
          call.owner, call.name, call.desc, call.itf, call.getOpcode() == Opcodes.INVOKESTATIC);
    } else if (instruction instanceof FieldInsnNode access) {
      int opcode = access.getOpcode();
      checkField(
          access.owner,
          access.name,
          access.desc,
          opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC);
    } else if (instruction instanceof TypeInsnNode used) {
      checkType(Type.getObjectType(used.desc));
    } else if (instruction instanceof MultiANewArrayInsnNode made) {
      checkType(Type.getType(made.desc));
    } else if (instruction instanceof LdcInsnNode constant) {
      checkConstant(constant.cst);
    } else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
      checkType(Type.getMethodType(dynamic.desc));
      checkConstant(dynamic.bsm);
      for (Object argument : dynamic.bsmArgs) {
        checkConstant(argument);
      }
    }
  }

  private void checkConstant(Object constant) {
    if (constant instanceof Type used) {
      checkType(used);
    } else if (constant instanceof ConstantDynamic dynamic) {
      checkConstant(dynamic.getBootstrapMethod());
    } else if (constant instanceof Handle handle) {
      switch (handle.getTag()) {
        case Opcodes.H_GETFIELD, Opcodes.H_PUTFIELD ->
            checkField(handle.getOwner(), handle.getName(), handle.getDesc(), false);
        case Opcodes.H_GETSTATIC, Opcodes.H_PUTSTATIC ->
            checkField(handle.getOwner(), handle.getName(), handle.getDesc(), true);
        default ->
            checkMethod(
                handle.getOwner(),
                handle.getName(),
                handle.getDesc(),
                handle.isInterface(),
                handle.getTag() == Opcodes.H_INVOKESTATIC);
      }
    }
  }

  private void checkType(Type used) {
    switch (used.getSort()) {
      case Type.METHOD -> {
        checkType(used.getReturnType());
        for (Type argument : used.getArgumentTypes()) {
          checkType(argument);
        }
      }
      case Type.ARRAY -> checkType(used.getElementType());
      case Type.OBJECT -> checkClass(used.getInternalName());
      default -> {}
    }
  }

  private void checkClass(String name) {
    Optional<ClassNode> found = source.find(name);
    if (found.isEmpty()) {
      fault(name, "no such class");
    } else if ((found.get().access & Opcodes.ACC_PUBLIC) == 0 && !samePackage(name, type.name)) {
      fault(name, "not public");
    }
  }

  private void checkMethod(
      String owner, String name, String descriptor, boolean onInterface, boolean isStatic) {
    checkType(Type.getMethodType(descriptor));
    Optional<ClassNode> found = owner(owner);
    if (found.isEmpty()) {
      return;
    }
    String member = owner + "." + name + descriptor;
    boolean isInterface = (found.get().access & Opcodes.ACC_INTERFACE) != 0;
    if (isInterface != onInterface && !owner.startsWith("[")) {
      fault(member, isInterface ? "now an interface" : "no interface any more");
    }
    var method = hierarchy.method(found.get(), name, descriptor);
    if (method.isEmpty() || (name.equals("<init>") && method.get().owner() != found.get())) {
      fault(member, "no such method");
    } else {
      checkAccess(member, method.get(), isStatic);
    }
  }

  private void checkField(String owner, String name, String descriptor, boolean isStatic) {
    Optional<ClassNode> found = owner(owner);
    if (found.isEmpty()) {
      return;
    }
    String member = owner + "." + name + " " + descriptor;
    var field = hierarchy.field(found.get(), name, descriptor);
    if (field.isEmpty()) {
      fault(member, "no such field");
    } else {
      checkAccess(member, field.get(), isStatic);
    }
  }

  private Optional<ClassNode> owner(String owner) {
    String name = owner.startsWith("[") ? "java/lang/Object" : owner;
    checkClass(name);
    return source.find(name);
  }

  private void checkAccess(String member, Hierarchy.Member<?> found, boolean isStatic) {
    if (found.is(Opcodes.ACC_STATIC) != isStatic) {
      fault(member, isStatic ? "not static any more" : "now static");
    }
    boolean same = found.owner().name.equals(type.name);
    boolean inherited = hierarchy.of(type).containsKey(found.owner().name);
    // Nestmates see private members; every array has a public clone().
    boolean seen =
        found.is(Opcodes.ACC_PUBLIC)
            || same
            || (found.is(Opcodes.ACC_PRIVATE)
                ? outermost(found.owner().name).equals(outermost(type.name))
                : samePackage(found.owner().name, type.name))
            || (found.is(Opcodes.ACC_PROTECTED) && inherited)
            || member.startsWith("[");
    if (!seen) {
      fault(member, "out of reach");
    }
  }

  private static String outermost(String name) {
    int dollar = name.indexOf('$');
    return dollar < 0 ? name : name.substring(0, dollar);
  }

  /** By name, and as the JVM sees it: classes out of other jars are in another package. */
  private static boolean samePackage(String one, String other) {
    return one.substring(0, one.lastIndexOf('/') + 1)
        .equals(other.substring(0, other.lastIndexOf('/') + 1));
  }

  private void fault(String member, String what) {
    faults.add(place + ": " + member + ": " + what);
  }

  /** For readers of test output: faults one below the other. */
  static String lines(List<String> faults) {
    List<String> lines = new ArrayList<>(faults);
    lines.add(0, faults.size() + " faults");
    return String.join("\n", lines);
  }
}
