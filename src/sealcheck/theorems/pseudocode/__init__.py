"""The paper's pseudocode (`app:algo`; Seal is in the proof of `th:sealability`), a module per procedure."""
