/**
 * Typed options of the shuffle: definition, parsing, validation and generated reference. Imports
 * neither Spark nor the engine.
 */
package io.verbena.conf;
