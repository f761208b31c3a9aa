package io.verbena.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.it.cluster.ProjectJars;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** The one jar that users get. */
final class UserJarIT {
  private static final String DISPATCHER = "com.ibm.disni.verbs.impl.NativeDispatcher";

  @Test
  void putsNoClassesButItsOwnOnTheClassPath() throws Exception {
    try (JarFile jar = new JarFile(ProjectJars.verbena().toFile())) {
      assertThat(jar.stream().map(entry -> entry.getName()).filter(name -> !name.endsWith("/")))
          .allMatch(name -> name.startsWith("io/verbena/") || name.startsWith("META-INF/"));
      assertThat(jar.getEntry("META-INF/verbena/disni/META-INF/LICENSE")).isNotNull();
    }
  }

  @Test
  void bringsDisniAndItsNativeLibraryForItselfAlone() throws Exception {
    URL[] urls = {
      ProjectJars.verbena().toUri().toURL(),
      org.slf4j.LoggerFactory.class.getProtectionDomain().getCodeSource().getLocation()
    };
    try (URLClassLoader application =
        new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      assertThatThrownBy(() -> application.loadClass(DISPATCHER))
          .isInstanceOf(ClassNotFoundException.class);
      ClassLoader disni =
          (ClassLoader)
              application
                  .loadClass("io.verbena.nativelib.DisniClassLoader")
                  .getMethod("open", List.class)
                  .invoke(null, List.of());
      assertThat(disni.loadClass(DISPATCHER).getClassLoader()).isSameAs(disni);
      Class<?> affinity = disni.loadClass("com.ibm.disni.util.NativeAffinity");
      assertThat((long) affinity.getMethod("getAffinity").invoke(null)).isNotZero();
    }
  }
}
