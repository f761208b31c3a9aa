package io.verbena.memory;

import io.verbena.host.HostFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * This executor's directories: those for run data in order of preference, and those on disk that
 * tables overflow to. Fixed once opened, because peers are told of them once.
 */
final class Places implements AutoCloseable {
  private static final HostFiles HOST = HostFiles.thisHost();

  private final List<Place> all = new ArrayList<>();
  private final List<Place> forRuns = new ArrayList<>();
  private final List<String> passed = new ArrayList<>();

  /**
   * Removes what dead processes left, then makes a directory wherever regions can lie.
   *
   * @throws IOException when there is no such place at all
   */
  static Places open(PoolSettings settings) throws IOException {
    Places places = new Places();
    List<Exception> failures = new ArrayList<>();
    try {
      for (Mounts.Candidate candidate : Mounts.candidates(HOST, settings)) {
        places.add(candidate, settings, true, failures);
      }
      if (!settings.backings().contains(Backing.DISK)) {
        for (Path root : settings.localDirectories()) {
          places.add(new Mounts.Candidate(Backing.DISK, root), settings, false, failures);
        }
      }
      if (places.all.isEmpty()) {
        IOException none = new IOException("no backing can hold regions: " + messages(failures));
        failures.forEach(none::addSuppressed);
        throw none;
      }
      places.controlFirst();
      return places;
    } catch (IOException | RuntimeException e) {
      places.close();
      throw e;
    }
  }

  private static List<String> messages(List<Exception> failures) {
    return failures.stream().map(Exception::getMessage).toList();
  }

  private void add(
      Mounts.Candidate candidate, PoolSettings settings, boolean runs, List<Exception> failures) {
    try {
      Path root = candidate.root();
      OwnedDirectory.removeAbandoned(root);
      Place.checkRoom(HOST, candidate.backing(), root, settings.regionSize());
      int pageSize =
          candidate.backing() == Backing.HUGETLBFS
              ? Math.toIntExact(Files.getFileStore(root).getBlockSize())
              : 4096;
      if (candidate.backing() == Backing.HUGETLBFS) {
        Place.checkHugePages(HOST, root, pageSize, settings.regionSize());
      }
      OwnedDirectory directory = OwnedDirectory.create(root, settings.name(), settings.nonce());
      Place place =
          new Place(candidate.backing(), all.size(), directory, pageSize, settings.registered());
      all.add(place);
      if (runs) {
        forRuns.add(place);
      }
    } catch (IOException | RuntimeException e) {
      failures.add(e);
      passed.add(
          "not using " + candidate.backing().optionName() + " at " + candidate.root() + ": " + e);
    }
  }

  /** The control area is a small file in the first directory, which huge pages cannot hold. */
  private void controlFirst() throws IOException {
    int first = 0;
    while (first < all.size() && all.get(first).isHugetlbfs()) {
      first++;
    }
    if (first == all.size()) {
      throw new IOException("only huge pages are left, and the control area needs tmpfs or disk");
    }
    Place control = all.remove(first);
    all.add(0, control);
    for (int i = 0; i < all.size(); i++) {
      Place old = all.get(i);
      Place place = new Place(old.backing(), i, old.directory(), old.pageSize(), old.registered());
      all.set(i, place);
      forRuns.replaceAll(p -> p.directory() == place.directory() ? place : p);
    }
  }

  /** All places; the index of each is its position. */
  List<Place> all() {
    return all;
  }

  /** Places for run data, best first. */
  List<Place> forRuns() {
    return forRuns;
  }

  /** Places that were passed over, each with the reason. */
  List<String> passed() {
    return passed;
  }

  /** Removes all directories, and what processes that died meanwhile left beside them. */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (Place place : all) {
      // The executor that takes the place of a killed one may never get a task, and then does not
      // do it.
      place.directory().removeAbandonedNeighbours();
      try {
        place.directory().close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
