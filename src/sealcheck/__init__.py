"""Bounded checking of message-passing programs over reliable, non-FIFO channels.

The subject is Engelhardt and Moses, *Causing Communication Closure: Safe Program
Composition with Reliable Non-FIFO Channels*.  The floors of the package, lower never
importing higher: ``programs``, ``language``, ``algorithms`` beside ``oracles``, ``encodings``,
``questions``, ``harness``, ``theorems``, ``evidence``, ``spark_sweeps``, and ``cli``.
"""

__version__ = "0.1.0"
