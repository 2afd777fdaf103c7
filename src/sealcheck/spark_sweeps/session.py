"""Starting and stopping Spark: quietly, with few resources, and without files in the working directory."""

import os
import re
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from uuid import uuid4

import pyspark
from py4j.protocol import Py4JError, Py4JJavaError
from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from sealcheck.errors import InputError
from sealcheck.spark_sweeps.installed import java_home, write_zip
from sealcheck.support.files import require_current_folder
from sealcheck.support.interrupts import undone
from sealcheck.support.processes import cores

CONNECT_SECONDS = 5.0
"""The seconds that a master may take to accept a connection."""
EXECUTOR_SECONDS = 60.0
"""The seconds that a master may take to grant the first executor."""

_LOCAL = re.compile(r"local(\[(\*|[1-9]\d*)(,[1-9]\d*)?\])?")
_LOCAL_CLUSTER = re.compile(r"local-cluster\[[1-9]\d*,[1-9]\d*,[1-9]\d*\]")
_STANDALONE = re.compile(r"spark://[^\s:,/]+:\d{1,5}(,[^\s:,/]+:\d{1,5})*")
_PLACE = re.compile(r"[/,]([^\s:,/]+):(\d{1,5})")
_SPARK_HOME = Path(pyspark.__file__).parent

_SPECULATION = {
    # If a slow machine holds up a shard, another machine starts the shard again, as soon as nine in ten
    # shards are done and this one has taken three times as long as they did.  Results do not change: rows
    # come from one attempt, and files, equal in all attempts, appear only when complete.  Only idle cores are
    # used.  A task younger than 10 s may still be loading the package, and is not started again.
    "spark.speculation": "true",
    "spark.speculation.minTaskRuntime": "10s",
}
_REPORTED_ELSEWHERE = (
    "org.apache.spark.SparkContext",  # that it did not start: an InputError
    "org.apache.spark.util.Utils",  # what else fails while it gives that up
    "org.apache.spark.scheduler.TaskSchedulerImpl",  # a lost executor: its shards are run again
)
"""Spark's loggers that are silenced. The errors that they log are reported elsewhere, or need no action."""


def default_master() -> str:
    """Local Spark, with one task for every core that this process may use, and three tries for each task."""
    return f"local[{cores()},3]"


@contextmanager
def spark_session(master: str | None = None, name: str = "sealcheck") -> Iterator[SparkSession]:
    """A running Spark session on `master`, by default on this machine. The session stops at the end of the
    context.

    `master` is ``local[N]``, ``local[N,tries]``, ``local-cluster[workers,cores,MiB]`` or
    ``spark://host:port``. With the last two, executors get a copy of this package. An executor must find
    the Python executable of this process at the same path, with all packages that this package needs.

    Raises InputError

    - if `master` has another form, does not answer in time, or grants no executor in time;
    - if Spark does not start, or if this process already runs a session.
    """
    require_current_folder()  # Java does not start without
    master = default_master() if master is None else master.strip()
    address = _own_address(master)
    if SparkContext._active_spark_context is not None:
        raise InputError("this process already runs a Spark session: use that one, or stop it first")
    with _scratch() as scratch:
        spark = _started_beside(master, name, address, scratch)
        work = _SPARK_HOME / "work" / spark.sparkContext.applicationId
        # local-cluster leaves it in the installation
        with undone(partial(shutil.rmtree, work, ignore_errors=True)):
            try:
                if not _LOCAL.fullmatch(master):
                    _prepare_executors(spark.sparkContext, master, scratch / "sealcheck.zip")
                yield spark
            finally:
                _stop(spark)


def require_master(master: str) -> None:
    """Raise InputError if `master` has an unknown form. Does not ask whether the master answers."""
    master = master.strip()
    if not any(kind.fullmatch(master) for kind in (_LOCAL, _LOCAL_CLUSTER, _STANDALONE)):
        raise InputError(
            f"'{master}' is not a Spark master: expected local[N], local-cluster[workers,cores,MiB],"
            " or spark://host:port"
        )


def _own_address(master: str) -> str | None:
    """The address at which executors reach this process. None if Spark has to find it."""
    require_master(master)
    places = _PLACE.findall(master)
    if not places:
        return "127.0.0.1"
    for host, port in places:
        try:
            with socket.create_connection((host, int(port)), timeout=CONNECT_SECONDS) as connection:
                own = str(connection.getsockname()[0])
        except (OSError, OverflowError):
            continue
        return own if connection.family is socket.AF_INET else None
    raise InputError(f"no Spark master answers at {master} within {CONNECT_SECONDS:.0f} seconds")


@contextmanager
def _scratch() -> Iterator[Path]:
    """A folder for all temporary files of a session."""
    folder = Path(tempfile.gettempdir(), f"sealcheck-spark-{uuid4().hex}")
    with undone(partial(shutil.rmtree, folder, ignore_errors=True)):
        folder.mkdir(mode=0o700)
        yield folder


def _stop(spark: SparkSession) -> None:
    with suppress(Py4JError, OSError):  # where Java died, there is nothing left to stop
        spark.stop()


def _started_beside(master: str, name: str, address: str | None, scratch: Path) -> SparkSession:
    """Start Spark in another thread.

    If PySpark started in the main thread, it would install a handler for Ctrl-C that outlives the session.
    Also, an interrupt during the start would leave behind a Java process that never ends. The search for a
    Java comes first, in the main thread, so that Ctrl-C ends the search.
    """
    home = java_home(scratch)
    with ThreadPoolExecutor(1, "start Spark") as pool:
        starting = pool.submit(_started, master, name, address, scratch, home)
        try:
            return starting.result()
        except KeyboardInterrupt:
            _stop(starting.result())
            raise


def _started(master: str, name: str, address: str | None, scratch: Path, home: Path) -> SparkSession:
    environment = {
        "JAVA_HOME": str(home),
        "SPARK_HOME": str(_SPARK_HOME),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "PYTHONSAFEPATH": "1",  # workers import nothing from the current folder
        **({"SPARK_LOCAL_IP": address} if address else {}),
    }
    settings = _settings(master, address, scratch)
    conf = SparkConf(loadDefaults=False).setMaster(master).setAppName(name).setAll(list(settings.items()))
    try:
        with _surroundings(environment, scratch):
            SparkContext._ensure_initialized(conf=conf)  # Java alone, to be silenced before Spark starts
            assert SparkContext._jvm is not None
            log4j = SparkContext._jvm.org.apache.logging.log4j
            for logger in _REPORTED_ELSEWHERE:
                log4j.core.config.Configurator.setLevel(logger, log4j.Level.OFF)
            return SparkSession.builder.config(conf=conf).getOrCreate()
    except Py4JJavaError as error:
        reason = _reason(error)
    except (Py4JError, PySparkException) as error:
        reason = str(error).partition("\n")[0]
    where = f" (is a Spark {pyspark.__version__} master there?)" if _STANDALONE.fullmatch(master) else ""
    raise InputError(f"Spark did not start on {master}{where}: {reason}")


def _reason(error: Py4JJavaError) -> str:
    """The messages of a Java exception and of its causes, without repetition, in one line."""
    said, cause = [], error.java_exception
    while cause is not None:
        message = cause.getMessage() or cause.getClass().getSimpleName()
        said.append(str(message).partition("\n")[0].strip())
        cause = cause.getCause()
    return ": ".join(dict.fromkeys(said))


def _settings(master: str, address: str | None, scratch: Path) -> dict[str, str]:
    log_settings = Path(__file__).with_name("log4j2.properties").as_uri()
    # Java does little of the work, and uses half the processor time without its second compiler. With so
    # many queries, a small code cache would fill up, and then Java would not compile any more.
    frugal = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m"
    of_driver = f'{frugal} -Dlog4j2.configurationFile={log_settings} "-Djava.io.tmpdir={scratch}"'
    settings = {
        "spark.driver.memory": "1g",
        "spark.executor.memory": "1g",
        "spark.driver.extraJavaOptions": of_driver,
        "spark.executor.extraJavaOptions": frugal,
        "spark.ui.enabled": str(not _LOCAL.fullmatch(master)).lower(),
        "spark.ui.port": "0",
        "spark.ui.showConsoleProgress": "false",
        "spark.executorEnv.PYTHONSAFEPATH": "1",
        # Series of jobs that run at the same time share the cores, so that a long series delays no rows.
        "spark.scheduler.mode": "FAIR",
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.warehouse.dir": (scratch / "warehouse").as_uri(),
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        # A simplified traceback leaves out the exception that a failure was raised from.
        "spark.sql.execution.pyspark.udf.simplifiedTraceback.enabled": "false",
    }
    if not _LOCAL.fullmatch(master):
        settings |= _SPECULATION
    if address:
        settings |= {"spark.driver.host": address, "spark.driver.bindAddress": address}
    return settings


@contextmanager
def _surroundings(variables: Mapping[str, str], temporary: Path) -> Iterator[None]:
    """Set environment variables, and the folder of PySpark's temporary files, while Spark starts."""
    before, folder_before = dict(os.environ), tempfile.tempdir
    os.environ.update(variables)
    tempfile.tempdir = str(temporary)
    try:
        yield
    finally:
        tempfile.tempdir = folder_before
        for key in variables:
            del os.environ[key]
        os.environ.update({key: before[key] for key in variables if key in before})


def _prepare_executors(context: SparkContext, master: str, archive: Path) -> None:
    """Ship this package and wait for the first executor. Raises InputError if none comes."""
    write_zip(archive)
    # Executors unpack the archive. In a zip file (`addPyFile`), numba would find no compiled loops. It would
    # write loops to the user's cache folder, under new names each time, or fail if the folder is read-only.
    context.addArchive(str(archive))
    assert context._python_includes is not None
    context._python_includes.append(archive.name)
    deadline = time.monotonic() + EXECUTOR_SECONDS
    while context._jsc.sc().getExecutorMemoryStatus().size() < 2:  # one is the driver
        if time.monotonic() > deadline:
            raise InputError(
                f"the Spark master {master} granted no executor within {EXECUTOR_SECONDS:.0f} seconds:"
                " are workers with a free core and 1 GiB registered?"
            )
        time.sleep(0.1)
