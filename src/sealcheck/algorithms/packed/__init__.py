"""The bounded program space, a level at a time, in compiled loops over programs packed into integers."""
