package io.verbena.it.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A standalone Spark cluster on 127.0.0.1: one master and some workers, each its own process, with
 * ports that the system chose. Applications are submitted to it as {@code spark-submit} does it.
 *
 * <pre>{@code
 * try (StandaloneCluster cluster = StandaloneCluster.start(ClusterSpec.builder().build())) {
 *   AppResult result = cluster.submit(AppSpec.builder(jar, "a.b.Main").onVerbena().build());
 * }
 * }</pre>
 *
 * <p>Owns every process that it started, directly or not, and one temporary folder. {@link #close}
 * ends and removes all of it, and so does the end of this JVM. Usable from any thread.
 */
public final class StandaloneCluster implements AutoCloseable {
  /** System property: {@code true} keeps the temporary folder, whose path is printed, on close. */
  public static final String KEEP_PROPERTY = "verbena.it.keep";

  private static final Pattern MASTER_UP =
      Pattern.compile("Starting Spark master at (spark://\\S+:\\d+)");
  private static final Pattern WORKER_UP =
      Pattern.compile("Successfully registered with master (spark://\\S+)");
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final ClusterSpec spec;
  private final ClusterFiles files;
  private final Commands commands;
  private final List<ManagedProcess> workers = new CopyOnWriteArrayList<>();
  private final List<AppHandle> apps = new CopyOnWriteArrayList<>();
  private final Map<String, Set<Long>> seen = new ConcurrentHashMap<>();
  private final AtomicInteger appNumbers = new AtomicInteger();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread hook = new Thread(this::end, "cluster-shutdown");
  private volatile ManagedProcess master;
  private volatile String masterUrl;

  private StandaloneCluster(ClusterSpec spec, List<String> archive) {
    this.spec = spec;
    this.files = ClusterFiles.create(spec.localRoot());
    this.commands = new Commands(spec.home(), spec.java(), files, archive);
  }

  /**
   * Starts a cluster and waits until all its workers are registered with the master.
   *
   * @throws ClusterException when that does not happen in time; nothing is left running then
   */
  public static StandaloneCluster start(ClusterSpec spec) throws InterruptedException {
    StandaloneCluster cluster =
        new StandaloneCluster(spec, ClassArchive.options(spec.home(), spec.java()));
    Runtime.getRuntime().addShutdownHook(cluster.hook);
    try {
      cluster.startProcesses();
      return cluster;
    } catch (InterruptedException | RuntimeException e) {
      try {
        cluster.close();
      } catch (RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private void startProcesses() throws InterruptedException {
    long start = System.nanoTime();
    master = ManagedProcess.start("master", files.master(), commands.master(spec), commands.env());
    masterUrl = master.awaitStderr(MASTER_UP, spec.startLimit());
    for (int i = 0; i < spec.workers(); i++) {
      Map<String, String> env = commands.env();
      env.put(Commands.WORKER_ENV, Integer.toString(i));
      env.putAll(spec.environments().getOrDefault(i, Map.of()));
      workers.add(
          ManagedProcess.start(
              "worker " + i, files.worker(i), commands.worker(i, spec, masterUrl), env));
    }
    for (ManagedProcess worker : workers) {
      worker.awaitStderr(
          WORKER_UP, spec.startLimit().minus(Duration.ofNanos(System.nanoTime() - start)));
    }
  }

  /** The master's address, {@code spark://127.0.0.1:PORT}. */
  public String masterUrl() {
    return masterUrl;
  }

  /** What this cluster was made from. */
  public ClusterSpec spec() {
    return spec;
  }

  /** The temporary folder that holds all files of this cluster; removed on close. */
  public Path folder() {
    return files.root();
  }

  /** Process id of the master. */
  public long masterPid() {
    return master.pid();
  }

  /** Process ids of the workers, by index. */
  public List<Long> workerPids() {
    return workers.stream().map(ManagedProcess::pid).toList();
  }

  /**
   * A worker's {@code spark.local.dir}: its executors keep their shuffle files and other temporary
   * files in it.
   */
  public Path workerLocalDir(int worker) {
    return files.workerLocal(worker);
  }

  /**
   * Submits an application and waits for its end. A driver that exceeds the application's limit is
   * ended.
   *
   * @return how it ended, with any exit code
   * @throws ClusterException when it did not end within its limit, with the log's end
   */
  public AppResult submit(AppSpec app) throws InterruptedException {
    try (AppHandle handle = submitAsync(app)) {
      return handle.waitFor(app.limit());
    }
  }

  /**
   * Submits an application and returns at once. Whatever still runs is ended when the cluster is
   * closed; the application's limit does not matter here.
   */
  public AppHandle submitAsync(AppSpec app) {
    if (closed.get()) {
      throw new IllegalStateException("the cluster is closed");
    }
    Path folder = files.app(appNumbers.getAndIncrement());
    try {
      Files.createDirectories(folder.resolve("local"));
    } catch (IOException e) {
      throw new ClusterException("cannot make a folder for the driver", e);
    }
    Path log = folder.resolve("driver.log");
    Map<String, String> env = commands.env();
    // By spark.local.dir Spark would do the same, but warn that a cluster may have other folders.
    env.put("SPARK_LOCAL_DIRS", folder.resolve("local").toString());
    env.putAll(app.env());
    long start = System.nanoTime();
    ManagedProcess driver =
        ManagedProcess.start(
            "driver", folder, commands.submit(app, spec, masterUrl, folder, log), env);
    AppHandle handle = new AppHandle(driver, log, start);
    apps.add(handle);
    return handle;
  }

  /** The living executors of an application, by executor id. */
  public List<ExecutorProcess> executors(String appId) {
    Map<Integer, ExecutorProcess> found = new TreeMap<>();
    for (ProcScan.Proc process : processes()) {
      if (process.command().contains("org.apache.spark.executor.CoarseGrainedExecutorBackend")
          && process.option("--app-id").equals(appId)) {
        int worker = Integer.parseInt(process.env().get(Commands.WORKER_ENV));
        String id = process.option("--executor-id");
        // What it starts looks like itself until it has become another program.
        found.merge(
            Integer.parseInt(id),
            executor(appId, id, worker, process.pid()),
            (one, other) -> one.pid() < other.pid() ? one : other);
        seen.computeIfAbsent(appId, each -> ConcurrentHashMap.newKeySet()).add(process.pid());
      }
    }
    return List.copyOf(found.values());
  }

  /**
   * The folders that an application's living executors have for shuffle files and other temporary
   * files. Those of applications that have just ended may lie beside them for a moment.
   */
  public List<Path> localDirs(String appId) {
    return processes().stream()
        .filter(process -> process.option("--app-id").equals(appId))
        .map(process -> process.env().get("SPARK_EXECUTOR_DIRS"))
        .filter(Objects::nonNull)
        .flatMap(dirs -> Stream.of(dirs.split(File.pathSeparator, -1)))
        .map(Path::of)
        .distinct()
        .toList();
  }

  private ExecutorProcess executor(String appId, String id, int worker, long pid) {
    Path work = files.workerWork(worker).resolve(appId).resolve(id);
    return new ExecutorProcess(
        appId, id, worker, pid, work.resolve("stdout"), work.resolve("stderr"));
  }

  /**
   * Waits until an application has this many living executors, and returns them.
   *
   * @throws ClusterException when the time is over before
   */
  public List<ExecutorProcess> awaitExecutors(String appId, int count, Duration limit)
      throws InterruptedException {
    return Await.value(
        count + " executors of " + appId,
        limit,
        () -> Optional.of(executors(appId)).filter(living -> living.size() == count));
  }

  /**
   * Waits until no executor of an application lives, to the last thread of those that were seen by
   * {@link #executors} before. They end shortly after their driver.
   *
   * @throws ClusterException when the time is over before
   */
  public void awaitExecutorsGone(String appId, Duration limit) throws InterruptedException {
    Await.until(
        "the end of all executors of " + appId,
        limit,
        () ->
            executors(appId).isEmpty()
                && seen.getOrDefault(appId, Set.of()).stream().allMatch(ProcScan::gone));
  }

  /** Logs of all executors that an application has had, the dead ones too, by executor id. */
  public List<ExecutorProcess> executorsEver(String appId) throws IOException {
    List<ExecutorProcess> living = executors(appId);
    List<ExecutorProcess> all = new ArrayList<>(living);
    for (int worker = 0; worker < spec.workers(); worker++) {
      Path work = files.workerWork(worker).resolve(appId);
      if (Files.isDirectory(work)) {
        try (var folders = Files.list(work)) {
          for (Path folder : folders.toList()) {
            String id = folder.getFileName().toString();
            if (living.stream().noneMatch(executor -> executor.executorId().equals(id))) {
              all.add(executor(appId, id, worker, -1));
            }
          }
        }
      }
    }
    all.sort(Comparator.comparingInt(executor -> Integer.parseInt(executor.executorId())));
    return all;
  }

  /**
   * Ends an executor with SIGKILL and returns when it is gone.
   *
   * @throws ClusterException when it has not lived any more, or cannot be ended
   */
  public void kill(ExecutorProcess executor) throws InterruptedException {
    boolean sent =
        executors(executor.appId()).contains(executor)
            && ProcessHandle.of(executor.pid()).map(ProcessHandle::destroyForcibly).orElse(false);
    if (!sent) {
      throw new ClusterException("executor has ended before it could be killed: " + executor);
    }
    Await.until("the end of killed " + executor, GRACE, () -> ProcScan.gone(executor.pid()));
  }

  /**
   * Tells an executor to leave in good order, as Kubernetes does it: with SIGPWR. Returns at once.
   *
   * @throws ClusterException when it cannot be told
   */
  public void decommission(ExecutorProcess executor) throws InterruptedException {
    try {
      int code =
          new ProcessBuilder("kill", "-PWR", Long.toString(executor.pid()))
              .inheritIO()
              .start()
              .waitFor();
      if (code != 0) {
        throw new ClusterException("kill -PWR ended with exit code " + code + ": " + executor);
      }
    } catch (IOException e) {
      throw new ClusterException("cannot run kill", e);
    }
  }

  /** Waits until an executor's process has ended. */
  public void awaitGone(ExecutorProcess executor, Duration limit) throws InterruptedException {
    Await.until("the end of " + executor, limit, () -> ProcScan.gone(executor.pid()));
  }

  /** Every living process of this cluster: those it started and those they started. */
  private List<ProcScan.Proc> processes() {
    return ProcScan.withEnv(Commands.CLUSTER_ENV, files.root().toString());
  }

  /** Process ids of everything that this cluster has started, directly or not, and that lives. */
  public List<Long> livingPids() {
    return processes().stream().map(ProcScan.Proc::pid).toList();
  }

  /**
   * Ends everything that was started and removes the temporary folder. Takes at most about 20 s.
   * Idempotent.
   */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This JVM is ending: the hook does the work, or waits until we have done it.
    }
    end();
  }

  private synchronized void end() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    List<Long> pids = livingPids();
    // Drivers first: they end their executors in good order.
    apps.forEach(AppHandle::terminate);
    apps.forEach(AppHandle::destroy);
    workers.forEach(ManagedProcess::terminate);
    workers.forEach(worker -> worker.end(GRACE));
    if (master != null) {
      master.terminate();
      master.end(GRACE);
    }
    endStrays(pids);
    if (Boolean.getBoolean(KEEP_PROPERTY)) {
      System.err.println("kept: " + files.root());
    } else {
      files.delete();
    }
  }

  /** Executors outlive a worker that was killed. */
  private void endStrays(List<Long> pids) {
    Set<Long> strays = new TreeSet<>(pids);
    try {
      Await.until(
          "the end of processes " + strays,
          GRACE,
          () -> {
            for (long pid : livingPids()) {
              strays.add(pid);
              ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            }
            return strays.stream().allMatch(ProcScan::gone);
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
