"""The page of ``sealcheck play``. Python and the verified program run in the browser. Nothing is sent."""
