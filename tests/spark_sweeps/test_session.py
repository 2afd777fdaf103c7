"""Starting Spark; the tests marked slow start sessions of their own."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.spark_sweeps.standalone import free_port

from sealcheck.errors import InputError
from sealcheck.spark_sweeps.session import default_master, spark_session

TOOLS = ("bash", "sh", "env", "dirname", "basename", "cat", "chmod", "id", "ls", "nice", "ps", "tr", "uname")


def run_python(program: str, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.parametrize(
    "master",
    [
        "",
        "foo",
        "local[0]",
        "local[2",
        "local-cluster[2,1]",
        "spark://host",
        "spark://h:1,",
        "k8s://host:443",
        "yarn",
    ],
)
def test_a_master_that_is_none_is_refused(master: str) -> None:
    with pytest.raises(InputError, match="is not a Spark master"), spark_session(master):
        pass


@pytest.mark.parametrize("host", ["127.0.0.1", "no-such-host.invalid"])
def test_a_master_that_does_not_answer_is_refused_in_time(host: str) -> None:
    begun = time.monotonic()
    master = f"spark://{host}:{free_port()}"
    expected = f"^no Spark master answers at {master} within"
    with pytest.raises(InputError, match=expected), spark_session(master):
        pass
    assert time.monotonic() - begun < 20


def test_default_master_uses_the_cores_of_this_process() -> None:
    assert default_master() == f"local[{len(os.sched_getaffinity(0))},3]"


def test_a_second_session_is_refused(spark: SparkSession) -> None:
    with pytest.raises(InputError, match="already runs a Spark session"), spark_session():
        pass
    assert spark.range(3).count() == 3


def test_starting_leaves_environment_and_signals_alone(spark: SparkSession) -> None:
    assert not {"PYSPARK_PYTHON", "SPARK_HOME", "SPARK_LOCAL_IP"} & set(os.environ)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.slow
def test_a_machine_without_java_runs_spark_quietly_and_without_litter(tmp_path: Path) -> None:
    tools, home, work = tmp_path / "tools", tmp_path / "home", tmp_path / "work"
    for folder in (tools, home, work):
        folder.mkdir()
    for tool in TOOLS:
        (tools / tool).symlink_to(str(shutil.which(tool)))
    program = (
        "import shutil; assert shutil.which('java') is None\n"
        "from sealcheck.spark_sweeps.session import spark_session\n"
        "for master in ('local[1]', None):\n"
        "    with spark_session(master) as spark:\n"
        "        spark.range(3).write.saveAsTable('stored')\n"
        "        print(spark.range(5).mapInArrow(lambda batches: batches, 'id long').count())\n"
    )
    ran = run_python(program, work, {"PATH": str(tools), "HOME": str(home)})
    assert ran.stderr == ""
    assert ran.stdout == "5\n5\n"
    assert list(work.iterdir()) == []
    assert [folder.name for folder in (home / ".cache").iterdir()] == ["sealcheck"]


@pytest.mark.slow
def test_executors_get_the_package(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    program = (
        "import pyarrow as pa\n"
        "from sealcheck.spark_sweeps import cutting, on_spark\n"
        "from sealcheck.spark_sweeps.session import spark_session\n"
        "def count(shard):\n"
        "    import os, sealcheck\n"
        "    from sealcheck.algorithms.packed.levels import PackedLevel\n"
        "    PackedLevel(2, 1).tally()\n"
        "    from sealcheck.programs.space import Space\n"
        "    programs = Space(shard.n, shard.messages).programs(shard.start, shard.stop)\n"
        "    yield os.getppid(), sum(1 for _ in programs), sealcheck.__file__\n"
        "schema = pa.schema({'process': pa.int64(), 'programs': pa.int64(), 'file': pa.string()})\n"
        "with spark_session('local-cluster[2,1,1024]') as spark:\n"
        "    parts = cutting.split('count', 2, 4, 40, 5)\n"
        "    table = on_spark.run(spark, parts, count, schema, description='count')\n"
        "print(len(set(table['process'].to_pylist())), sum(table['programs'].to_pylist()),"
        " {file.split('/')[-3] for file in table['file'].to_pylist()})\n"
    )
    ran = run_python(program, tmp_path, {"PATH": os.environ["PATH"], "HOME": str(home)})
    assert (ran.stdout, ran.stderr) == ("2 40 {'sealcheck.zip'}\n", "")
    assert list(tmp_path.iterdir()) == [home]
    assert [folder.name for folder in (home / ".cache").iterdir()] == ["sealcheck"]
