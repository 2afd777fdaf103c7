"""``--master``: Spark is started on the one that is named."""

import pytest

from sealcheck.errors import InputError
from sealcheck.spark_sweeps import session

COMMANDS = {
    "prove": ["graph-cause", "--n", "2", "--messages", "1"],
    "sweep": ["--n", "2", "--messages", "1"],
    "sample": ["--n", "2", "--messages", "3", "--sample", "5"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_master_that_is_named(name, ask, monkeypatch):
    """It is what a session is asked for; what that refuses is said in a sentence."""

    def refuse(master, application):
        raise InputError(f"{application}: nobody answers at {master}")

    monkeypatch.setattr(session, "spark_session", refuse)
    command = "sweep" if name == "sample" else name
    reply = ask(command, *COMMANDS[name], "--master", "local[3]")
    assert reply.code == 2
    assert f"sealcheck {name}: nobody answers at local[3]" in reply.err
