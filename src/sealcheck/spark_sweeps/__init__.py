"""Long computations, on Spark or in this process.

An *audit* checks the statements of the paper. A *sweep* decides every program of a bounded space.
- Audits as tables: `audit`, `audit_tasks`, `rounds`, `on_spark`, `kept`
- Sweeps of the program space: `sweep`, `sample`, `deciding`, `shards`
- Certified tables and proofs: `tables`, `proving`
- Many question files at once: `many_files`
- Starting Spark: `session`, `installed`
"""
