package io.verbena.fetch;

/** Why a transport is left for the next one. */
enum FallKind {
  /** No connection was made. */
  UNREACHABLE,
  /** A connection in use failed. */
  BROKEN,
  /** A READ was not answered in time. */
  SILENT
}
