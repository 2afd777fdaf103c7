"""The paper's pseudocode, a module for each procedure (`app:algo`; Seal: the proof of `th:sealability`)."""
