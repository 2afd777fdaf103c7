"""The functions of ``import sealcheck``.  The import loads neither Spark nor a solver; their first use does.
"""
