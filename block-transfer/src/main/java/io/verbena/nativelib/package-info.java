/**
 * Brings the jar's native libraries into the process: finds the one for this machine, copies it to
 * a folder that allows it, loads it and removes the copy. What the libraries do is said where their
 * methods are declared; everything works without them, only less of it.
 */
package io.verbena.nativelib;
