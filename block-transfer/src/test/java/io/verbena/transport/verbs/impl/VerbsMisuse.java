package io.verbena.transport.verbs.impl;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * A program for a JVM of its own, which must end with "all held" and say nothing else: the native
 * methods of {@link VerbsNative} with arguments that are wrong.
 */
public final class VerbsMisuse {
  private static final List<Long> HANDLES =
      List.of(0L, 1L, -1L, 8L, Long.MIN_VALUE, Long.MAX_VALUE, 0x0123456789abcdefL);

  private VerbsMisuse() {}

  public static void main(String[] args) throws ReflectiveOperationException {
    System.loadLibrary("disni");
    for (Method method : VerbsNative.class.getDeclaredMethods()) {
      boolean takesHandle = Arrays.asList(method.getParameterTypes()).contains(long.class);
      if (Modifier.isNative(method.getModifiers()) && takesHandle) {
        method.setAccessible(true);
        for (long handle : HANDLES) {
          for (int number : new int[] {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            refused(method, handle, number, false);
            refused(method, handle, number, true);
          }
        }
      }
    }
    System.out.println("all held");
  }

  private static void refused(Method method, long handle, int number, boolean isNull)
      throws IllegalAccessException {
    Object[] arguments =
        Arrays.stream(method.getParameterTypes())
            .map(type -> value(type, handle, number, isNull))
            .toArray();
    String call = method.getName() + Arrays.toString(arguments);
    try {
      throw new AssertionError(call + " gave " + method.invoke(null, arguments));
    } catch (InvocationTargetException e) {
      Throwable thrown = e.getCause();
      if (!(thrown instanceof IOException
          || thrown instanceof IllegalArgumentException
          || thrown instanceof IllegalStateException)) {
        throw new AssertionError(call, thrown);
      }
    }
  }

  private static Object value(Class<?> type, long handle, int number, boolean isNull) {
    if (type == long.class) {
      return handle;
    }
    if (type == boolean.class) {
      return number > 0;
    }
    if (type == int.class) {
      return number;
    }
    if (isNull) {
      return null;
    }
    if (type == int[].class) {
      return new int[4];
    }
    return type == byte[].class ? new byte[16] : ByteBuffer.allocateDirect(512);
  }
}
