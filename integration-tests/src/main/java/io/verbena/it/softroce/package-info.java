/**
 * Virtual machines with Soft-RoCE devices, as {@code bin/soft-roce} boots them: Spark clusters on
 * them, and among the tests what runs other tests in them, and tests of the script itself.
 */
package io.verbena.it.softroce;
