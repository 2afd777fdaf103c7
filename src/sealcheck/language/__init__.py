"""Text and files to programs, and programs to text."""
