"""The text language of programs: parser and printer."""
