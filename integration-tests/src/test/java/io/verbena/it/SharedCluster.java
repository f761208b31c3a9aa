package io.verbena.it;

import io.verbena.it.cluster.ClusterSpec;
import io.verbena.it.cluster.StandaloneCluster;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the one cluster of two workers, each with one core and 2 GiB, that all test classes
 * share: starting one takes longer than most tests. It ends after the last test.
 */
public final class SharedCluster implements ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(SharedCluster.class);

  /** What the store closes at the end. */
  private record Running(StandaloneCluster cluster) implements AutoCloseable {
    static Running start() {
      try {
        return new Running(StandaloneCluster.start(ClusterSpec.builder().build()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while the cluster started", e);
      }
    }

    @Override
    public void close() {
      cluster.close();
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == StandaloneCluster.class;
  }

  @Override
  public StandaloneCluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(Running.class, key -> Running.start(), Running.class)
        .cluster();
  }
}
