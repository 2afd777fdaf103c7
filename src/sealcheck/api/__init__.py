"""The functions of ``import sealcheck``.  The import does not load Spark or solvers; their first use does."""
