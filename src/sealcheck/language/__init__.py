"""Readers that turn texts and files into programs, and printers that turn programs into text."""
