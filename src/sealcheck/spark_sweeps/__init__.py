"""Spark: audits as tables (`audit`, `audit_tasks`, `rounds`, `on_spark`, `kept`), sweeps of the program space
(`sweep`, `sample`, `deciding`, `shards`), tables and proofs; and starting it (`session`, `installed`).
"""
