package io.verbena.apps.trajectory;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import org.apache.spark.serializer.KryoRegistrator;

/** Tells Kryo what the application shuffles and collects; the shuffled classes as bare fields. */
public final class TrajectoryRegistrator implements KryoRegistrator {
  @Override
  public void registerClasses(Kryo kryo) {
    kryo.register(AtomStep.class, new AtomStepSerializer());
    kryo.register(Position.class, new PositionSerializer());
    kryo.register(CellKey.class, new CellKeySerializer());
    kryo.register(CellBlock.class, new CellBlockSerializer());
    for (Class<?> type :
        new Class<?>[] {
          Origin.class,
          Box.class,
          Frame.class,
          FrameInfo.class,
          FrameInfo[].class,
          FrameTable.class,
          SplitEnd.class,
          InputProblem.class,
          ExactSum.class,
          ExactSum[].class,
          DisplacementSums.class,
          boolean[].class,
          double[].class,
          long[].class
        }) {
      kryo.register(type);
    }
  }

  private static final class AtomStepSerializer extends Serializer<AtomStep> {
    @Override
    public void write(Kryo kryo, Output output, AtomStep key) {
      output.writeLong(key.atom, true);
      output.writeInt(key.frame, true);
    }

    @Override
    public AtomStep read(Kryo kryo, Input input, Class<AtomStep> type) {
      return new AtomStep(input.readLong(true), input.readInt(true));
    }
  }

  private static final class PositionSerializer extends Serializer<Position> {
    @Override
    public void write(Kryo kryo, Output output, Position position) {
      output.writeDouble(position.x);
      output.writeDouble(position.y);
      output.writeDouble(position.z);
    }

    @Override
    public Position read(Kryo kryo, Input input, Class<Position> type) {
      return new Position(input.readDouble(), input.readDouble(), input.readDouble());
    }
  }

  private static final class CellKeySerializer extends Serializer<CellKey> {
    @Override
    public void write(Kryo kryo, Output output, CellKey key) {
      output.writeInt(key.frame, true);
      output.writeInt(key.copy, true);
      output.writeInt(key.cell, true);
    }

    @Override
    public CellKey read(Kryo kryo, Input input, Class<CellKey> type) {
      return new CellKey(input.readInt(true), input.readInt(true), input.readInt(true));
    }
  }

  private static final class CellBlockSerializer extends Serializer<CellBlock> {
    @Override
    public void write(Kryo kryo, Output output, CellBlock block) {
      output.writeBoolean(block.home);
      output.writeInt(block.positions.length, true);
      output.writeDoubles(block.positions);
    }

    @Override
    public CellBlock read(Kryo kryo, Input input, Class<CellBlock> type) {
      return new CellBlock(input.readBoolean(), input.readDoubles(input.readInt(true)));
    }
  }
}
