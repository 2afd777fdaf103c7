"""Certified tables: one module for each kind, which has its columns, its rows, and which rows there are."""
