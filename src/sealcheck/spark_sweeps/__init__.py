"""Sweeps over the bounded program space on Apache Spark.

``java`` finds a Java to run Spark on, ``session`` starts Spark, ``package`` ships this package
to executors, ``shards`` says what one task is and runs tasks without Spark, ``tasks`` runs
them on Spark, and ``directory`` keeps the results of a sweep that can be resumed.
"""
