"""The tool as a page: Python and the verified program run in the browser, and nothing is sent anywhere."""
