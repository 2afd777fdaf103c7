"""Long computations, on Spark or in this process.

An *audit* checks the statements of the paper. A *sweep* decides, for every program up to a bound, whether the
program can be sealed.

- Audits as tables: `audit`, `audit_tasks`, `rounds`, `on_spark`, `kept`
- Sweeps of the program space: `sweep`, `sample`, `deciding`, `shards`
- Certified tables and proofs: `tables`, `proving`
- Many question files at once: `many_files`
- Starting Spark: `session`, `installed`
"""
