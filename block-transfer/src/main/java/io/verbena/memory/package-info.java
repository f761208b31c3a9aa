/**
 * Registered memory: raw access, regions, backings, the extent allocator and the pool, the
 * directories that hold their files and the locks that tell dead owners from living ones. Run bytes
 * are written through the files; mappings serve tables and readers. Raw addresses never leave this
 * package, and nothing here knows shuffles.
 */
package io.verbena.memory;
