package io.verbena.it.jobs;

import io.verbena.it.jobs.Job.Load;
import java.nio.file.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * The rounds of {@link GatedJob} until the gate {@code stop} is opened; then the context is stopped
 * while tasks run. Prints what the job was ended with. Arguments: folder of the {@link Gates},
 * load.
 */
public final class StoppedJob {
  private StoppedJob() {}

  public static void main(String[] args) throws Exception {
    Gates gates = new Gates(Path.of(args[0]));
    Load load = Load.parse(args[1]);
    try (JavaSparkContext context = new JavaSparkContext(new SparkConf().setAppName("stopped"))) {
      Thread stopper = new Thread(() -> stop(context, gates), "stopper");
      stopper.start();
      try {
        for (int round = 0; ; round++) {
          GatedJob.run(context, gates, load, round);
        }
      } catch (SparkException e) {
        System.out.println(e.getMessage());
      }
      stopper.join();
    }
  }

  private static void stop(JavaSparkContext context, Gates gates) {
    try {
      gates.awaitOpen("stop");
      context.stop();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }
}
