/**
 * The command line of the user jar: {@code java -jar verbena.jar COMMAND}. Holds what commands
 * share: options, version, exit codes, and the class loader that lets the engine run where no Spark
 * is. What a command does lies in a package of its own.
 */
package io.verbena.cli;
