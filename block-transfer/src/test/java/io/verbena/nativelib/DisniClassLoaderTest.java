package io.verbena.nativelib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DisniClassLoaderTest {
  private static final String DISPATCHER = "com.ibm.disni.verbs.impl.NativeDispatcher";
  private static final String AFFINITY = "com.ibm.disni.util.NativeAffinity";

  @TempDir private Path folder;

  @BeforeEach
  void copiesGoToFolder() {
    NativeTests.assumeVerbsLibrary();
    System.setProperty(NativeLibraries.FOLDER_PROPERTY, folder.toString());
  }

  @AfterEach
  void copiesGoWhereTheyDid() {
    System.clearProperty(NativeLibraries.FOLDER_PROPERTY);
  }

  @Test
  void definesDisniApartFromTheApplication() throws Exception {
    ClassLoader loader = DisniClassLoader.open(List.of());
    Class<?> dispatcher = loader.loadClass(DISPATCHER);
    assertThat(dispatcher.getClassLoader()).isSameAs(loader);
    assertThat(dispatcher).isNotSameAs(Class.forName(DISPATCHER, false, ownLoader()));
    assertThat(loader.loadClass("org.slf4j.Logger")).isSameAs(org.slf4j.Logger.class);
  }

  private static ClassLoader ownLoader() {
    return DisniClassLoaderTest.class.getClassLoader();
  }

  @Test
  void nativeMethodsOfEachLoaderHaveACopyOfTheirOwnThatIsRemoved() throws Exception {
    for (int i = 0; i < 2; i++) {
      ClassLoader loader = DisniClassLoader.open(List.of());
      Method affinity = loader.loadClass(AFFINITY).getMethod("getAffinity");
      assertThat((long) affinity.invoke(null)).isNotZero();
      assertThat(folder).isEmptyDirectory();
    }
  }

  @Test
  void endpointClassesAreNotThere() throws Exception {
    ClassLoader loader = DisniClassLoader.open(List.of());
    assertThatThrownBy(() -> loader.loadClass("com.ibm.disni.RdmaEndpoint"))
        .isInstanceOf(ClassNotFoundException.class)
        .hasMessageContaining("META-INF/verbena/disni/com/ibm/disni/RdmaEndpoint.class");
  }
}
