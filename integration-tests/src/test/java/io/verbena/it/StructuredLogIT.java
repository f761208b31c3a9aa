package io.verbena.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.verbena.it.cluster.AppResult;
import io.verbena.it.cluster.ExecutorProcess;
import io.verbena.it.cluster.StandaloneCluster;
import io.verbena.it.jobs.Job;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What executors log as JSON, with the settings for it that Spark 4 brings along. */
@ExtendWith(SharedCluster.class)
final class StructuredLogIT {
  private static final String OF_SPARK =
      "-Dlog4j2.configurationFile=classpath:org/apache/spark/log4j2-json-layout.properties";

  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void anExecutorsFirstLineHasItsKeys(StandaloneCluster cluster) throws Exception {
    AppResult result =
        cluster.submit(
            Submitted.jobs(Job.PARTITION_BY)
                .conf("spark.log.structuredLogging.enabled", "true")
                .conf("spark.executor.extraJavaOptions", OF_SPARK)
                .build());
    Submitted.assertRight(result, Job.PARTITION_BY);
    List<ExecutorProcess> executors = cluster.executorsEver(result.appId().orElseThrow());
    assertThat(executors).hasSize(2);
    for (ExecutorProcess executor : executors) {
      List<String> lines = Submitted.lines(executor.log(), "keeps map outputs on").toList();
      assertThat(lines).as(executor.log()).hasSize(1);
      assertFirstLine(JSON.readTree(lines.get(0)), executor);
    }
  }

  private static void assertFirstLine(JsonNode line, ExecutorProcess executor) throws IOException {
    assertThat(line.get("level").asText()).isEqualTo("INFO");
    JsonNode context = line.get("context");
    assertThat(context.get("executor_id").asText()).isEqualTo(executor.executorId());
    assertThat(context.get("host").asText()).isEqualTo("127.0.0.1");
    assertThat(context.get("backing").asText()).isIn("hugetlbfs", "tmpfs", "disk");
    assertThat(context.get("pool_limit").asLong()).isPositive();
    assertThat(context.get("transport").asText()).isEqualTo("shm, netty");
    assertThat(line.get("msg").asText()).contains(context.get("reason").asText());
  }
}
