"""The procedures that the paper prints as pseudocode in `app:algo`, and Seal of `th:sealability`.

Each procedure is transcribed line by line in `algorithms.as_printed`. A claim about a procedure is refuted by
programs for which the transcription gives a wrong answer.
"""
