package io.verbena.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;

/**
 * The only place that touches raw addresses: unchecked loads, stores and copies over {@code
 * sun.misc.Unsafe}. Everything else goes through {@link MemoryView}, which checks bounds.
 *
 * <p>The calls go through constant method handles, which the JIT inlines like direct calls: javac's
 * notice about the class cannot be silenced by name, and {@code -Werror} is worth more than direct
 * calls.
 */
final class Raw {
  private static final MethodHandle GET_BYTE;
  private static final MethodHandle PUT_BYTE;
  private static final MethodHandle GET_INT;
  private static final MethodHandle PUT_INT;
  private static final MethodHandle GET_LONG;
  private static final MethodHandle PUT_LONG;
  private static final MethodHandle COPY;
  private static final MethodHandle FILL;
  private static final MethodHandle INVOKE_CLEANER;
  private static final long ADDRESS_OFFSET;

  /** Offset of element 0 in a {@code byte[]}, in bytes. */
  static final long BYTE_ARRAY_OFFSET;

  static {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field field = type.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      Object unsafe = field.get(null);
      Class<?> l = long.class;
      GET_BYTE = find(unsafe, "getByte", byte.class, l);
      PUT_BYTE = find(unsafe, "putByte", void.class, l, byte.class);
      GET_INT = find(unsafe, "getInt", int.class, l);
      PUT_INT = find(unsafe, "putInt", void.class, l, int.class);
      GET_LONG = find(unsafe, "getLong", l, l);
      PUT_LONG = find(unsafe, "putLong", void.class, l, l);
      COPY = find(unsafe, "copyMemory", void.class, Object.class, l, Object.class, l, l);
      FILL = find(unsafe, "setMemory", void.class, l, l, byte.class);
      INVOKE_CLEANER = find(unsafe, "invokeCleaner", void.class, ByteBuffer.class);
      ADDRESS_OFFSET =
          (long)
              find(unsafe, "objectFieldOffset", l, Field.class)
                  .invoke(Buffer.class.getDeclaredField("address"));
      BYTE_ARRAY_OFFSET =
          (int) find(unsafe, "arrayBaseOffset", int.class, Class.class).invoke(byte[].class);
      GET_OBJECT_LONG = find(unsafe, "getLong", l, Object.class, l);
    } catch (Throwable e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final MethodHandle GET_OBJECT_LONG;

  private Raw() {}

  private static MethodHandle find(Object unsafe, String name, Class<?> result, Class<?>... args)
      throws ReflectiveOperationException {
    return MethodHandles.lookup()
        .findVirtual(unsafe.getClass(), name, MethodType.methodType(result, args))
        .bindTo(unsafe);
  }

  static long addressOf(ByteBuffer direct) {
    if (!direct.isDirect()) {
      throw new IllegalArgumentException("not a direct buffer: " + direct);
    }
    try {
      return (long) GET_OBJECT_LONG.invokeExact((Object) direct, ADDRESS_OFFSET);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  /** Unmaps or frees a direct buffer that is no slice or duplicate. It must not be used again. */
  static void free(ByteBuffer direct) {
    try {
      INVOKE_CLEANER.invokeExact(direct);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  static byte getByte(long address) {
    try {
      return (byte) GET_BYTE.invokeExact(address);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  static void putByte(long address, byte value) {
    try {
      PUT_BYTE.invokeExact(address, value);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  static int getInt(long address) {
    try {
      return (int) GET_INT.invokeExact(address);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  static void putInt(long address, int value) {
    try {
      PUT_INT.invokeExact(address, value);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  static long getLong(long address) {
    try {
      return (long) GET_LONG.invokeExact(address);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  static void putLong(long address, long value) {
    try {
      PUT_LONG.invokeExact(address, value);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  /**
   * Copies bytes between heap objects ({@code base} and offset in it) or raw memory (null base).
   */
  static void copy(Object from, long fromOffset, Object to, long toOffset, long length) {
    try {
      COPY.invokeExact(from, fromOffset, to, toOffset, length);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  static void fill(long address, long length, byte value) {
    try {
      FILL.invokeExact(address, length, value);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  private static RuntimeException rethrow(Throwable e) {
    if (e instanceof RuntimeException unchecked) {
      return unchecked;
    }
    if (e instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(e);
  }
}
