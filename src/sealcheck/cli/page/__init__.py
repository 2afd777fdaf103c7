"""The report as one page of HTML that needs nothing else: no network, and for reading no JavaScript."""
