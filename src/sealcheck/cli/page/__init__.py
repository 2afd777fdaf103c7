"""The report as one HTML page, which works without a network and is readable without JavaScript."""
