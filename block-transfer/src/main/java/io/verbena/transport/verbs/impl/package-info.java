/**
 * The calls into DiSNI and into our second native class. These classes are defined together with
 * DiSNI's by one class loader; nothing outside names them.
 */
package io.verbena.transport.verbs.impl;
