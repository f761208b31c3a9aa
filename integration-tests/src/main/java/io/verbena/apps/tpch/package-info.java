/**
 * The decision support benchmark TPC-H as a Spark application: tables from the Trino project's
 * generator, the 22 queries as resources with the parameters that the specification validates by.
 * It has to link with every supported version of Spark. Nothing here knows which shuffle is in use.
 */
package io.verbena.apps.tpch;
