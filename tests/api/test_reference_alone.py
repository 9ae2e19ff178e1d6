"""The reference works where the extension is missing, and never imports it."""

import subprocess
import sys

import pytest
from api.transcripts import write_home

REFUSE = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        assert name != "sessionscan._core", "the extension was asked for"

sys.meta_path.insert(0, Refuse())
import sessionscan as ss
"""


@pytest.mark.parametrize(
    "call",
    [
        "",
        "ss.reference.scan(sys.argv[1], tables=['usage']).sessions",
        "ss.scan(sys.argv[1], engine='python').totals()",
        "ss.reader(sys.argv[1], 'usage', engine='python').read_all()",
        "ss.census_diff(*[ss.census(sys.argv[1], engine='python')] * 2)",
        "import sessionscan.cli; sessionscan.cli.main(['summary', '--engine=python', sys.argv[1]])",
    ],
)
def test_no_call_of_the_reference_imports_the_extension(tmp_path, call):
    program = f"{REFUSE}\n{call}\nassert 'sessionscan._core' not in sys.modules"
    done = subprocess.run(
        [sys.executable, "-c", program, str(write_home(tmp_path))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
