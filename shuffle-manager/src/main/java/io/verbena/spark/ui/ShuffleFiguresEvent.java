package io.verbena.spark.ui;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.JsonNode;
import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * Figures of executors whose figures have changed, as they stand in the shuffle report. Goes
 * through Spark's listener bus into the event log.
 *
 * <p>Any JSON is taken: a field of a fixed type would make Spark give up the whole log of an
 * application whose figures another version has written.
 *
 * @param time milliseconds since 1970
 * @param executors a list of objects
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ShuffleFiguresEvent(JsonNode time, JsonNode executors)
    implements SparkListenerEvent {}
