"""What questions are asked about goes from process to process, and stays the same."""

import os
import pickle
import subprocess
import sys

from sealcheck.language.parser import parse
from sealcheck.questions.asking import Asked
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import REFINES

ELSEWHERE = """
import pickle, sys
from sealcheck.language.parser import parse
from sealcheck.questions.instance import Instance
from sealcheck.questions.asking import Asked
from sealcheck.questions.whole_language import REFINES
asked = Asked(REFINES, Instance(2, (parse("1.x := 1"), parse("cut"))))
hash(asked)
sys.stdout.buffer.write(pickle.dumps(asked))
"""


def test_what_another_process_has_asked_is_known_here() -> None:
    """Processes hash texts differently: if a hash came along, the same would be asked twice."""
    here = Asked(REFINES, Instance(2, (parse("1.x := 1"), parse("cut"))))
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        found = subprocess.run(
            [sys.executable, "-c", ELSEWHERE], env=environment, stdout=subprocess.PIPE, check=True
        )
        assert {here: "known"}[pickle.loads(found.stdout)] == "known"
