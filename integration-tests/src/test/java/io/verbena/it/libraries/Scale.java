package io.verbena.it.libraries;

/** How much the application does. */
public enum Scale {
  /** What shows everything. */
  BRIEF(20, 200, 150, 100, 2_000, 1_000),

  /** What takes minutes. */
  FULL(200, 2_000, 1_500, 800, 40_000, 20_000);

  private final int batches;
  private final int fileRows;
  private final int users;
  private final int items;
  private final int points;
  private final int vertices;

  Scale(int batches, int fileRows, int users, int items, int points, int vertices) {
    this.batches = batches;
    this.fileRows = fileRows;
    this.users = users;
    this.items = items;
    this.points = points;
    this.vertices = vertices;
  }

  /** Micro-batches of the stream. */
  public int batches() {
    return batches;
  }

  /** Rows in each file of the stream. */
  int fileRows() {
    return fileRows;
  }

  /** Users who rate. */
  int users() {
    return users;
  }

  /** Items that are rated. */
  int items() {
    return items;
  }

  /** Points to be clustered. */
  int points() {
    return points;
  }

  /** Vertices of the graph, those without an edge among them. */
  int vertices() {
    return vertices;
  }
}
