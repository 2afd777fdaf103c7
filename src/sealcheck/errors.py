"""What can go wrong for a reason the user can act on, one class per exit code."""


class InputError(Exception):
    """The input is not something the question can be asked of (exit code 2).

    The message is one sentence that says what is wrong and where.
    """


class LimitReached(Exception):
    """A limit was hit before the answer was known (exit code 3); the answer is `unknown`."""
