"""The report as one page of HTML, which works without a network and can be read without JavaScript."""
