"""Spark: audits, sweeps of the program space, samples, certified tables and proofs, and starting Spark.

- Audits as tables: `audit`, `audit_tasks`, `rounds`, `on_spark`, `kept`
- Sweeps of the program space: `sweep`, `sample`, `deciding`, `shards`
- Certified tables and proofs: `tables`, `proving`
- Starting Spark: `session`, `installed`
"""
