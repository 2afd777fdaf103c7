"""Enumerate all programs up to a bound, in compiled loops, with programs packed into integers.

A *level* (n, m) has all programs of n processes and m messages.
"""
