/**
 * Virtual machines with Soft-RoCE devices, as {@code bin/soft-roce} boots them: the driver for
 * tests that run in them, and tests of the script itself. What runs inside does not belong here.
 */
package io.verbena.it.softroce;
