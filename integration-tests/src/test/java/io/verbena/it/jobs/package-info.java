/**
 * Small applications that tests submit to a cluster. Each prints what it has counted, in a form
 * that does not depend on the order of records. What lives here runs on drivers and executors and
 * knows nothing of tests.
 */
package io.verbena.it.jobs;
