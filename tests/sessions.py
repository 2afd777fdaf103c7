"""One Spark session for the tests of a process: starting one takes several seconds."""

from contextlib import AbstractContextManager, ExitStack, nullcontext

from pyspark.sql import SparkSession

from sealcheck.spark_sweeps.session import spark_session


class KeptSession:
    """A Spark session for many tests, started for the first one."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        """The masters and names of the sessions that commands asked for."""
        self._started = ExitStack()
        self._session: SparkSession | None = None

    @property
    def session(self) -> SparkSession:
        """The session, which is started if it does not run."""
        if self._session is None:
            self._session = self._started.enter_context(spark_session("local[2,3]", "sealcheck tests"))
        return self._session

    def __call__(self, master: str, name: str) -> AbstractContextManager[SparkSession]:
        """Stand in for `spark_session`."""
        self.asked.append((master, name))
        return nullcontext(self.session)

    def stop(self) -> None:
        """Stop the session; the next test that needs a session starts another."""
        self._started.close()
        self._session = None
