"""How the kernel says no."""


class Rejected(Exception):
    """The evidence does not show what it claims to show; the message says why, in one sentence."""
