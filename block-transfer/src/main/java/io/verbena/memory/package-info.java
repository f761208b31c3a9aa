/**
 * Registered memory: raw access, regions, backings, the extent allocator and the pool. Raw
 * addresses never leave this package.
 */
package io.verbena.memory;
