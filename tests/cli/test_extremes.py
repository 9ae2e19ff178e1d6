"""Reports over values at the edge of what a transcript can hold."""

import json

import pytest
from api.transcripts import GARDEN, lines, response, text, usage
from cli.command import output
from sessionscan.cli.formats import FORMATS

LARGEST = 2**63 - 1
MOMENTS = ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "yesterday", 17, None)


@pytest.fixture
def edge(tmp_path):
    records = [
        response(GARDEN, moment, (f"m{n}", f"r{n}"), model, usage(LARGEST, n), text("\u2028"))
        for n, (moment, model) in enumerate(zip(MOMENTS, ("a\nb", "", None, 5, "木"), strict=True))
    ]
    odd = b'{"type":"user","sessionId":"","cwd":"\\ud800\\u0000","version":{"a":1}}\n\xff{}\x00'
    (tmp_path / "edge.jsonl").write_bytes(lines(*records) + odd)
    return tmp_path


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize(
    "command",
    [
        ("summary",),
        ("usage", "--by", "week,month,day,model,project,session"),
        ("sessions", "--scope", "corpus"),
        ("diagnostics",),
        ("table", "records"),
        ("table", "files"),
    ],
)
def test_every_report_stands(edge, tmp_path, command, format_):
    path = tmp_path / "out"
    for zone in ("UTC", "America/New_York", "Pacific/Kiritimati"):
        output(*command, edge / "edge.jsonl", "--format", format_, "--tz", zone, "--output", path)
        assert path.stat().st_size > 0


def test_a_sum_beyond_int64_is_whole_in_json_and_null_in_a_table(edge):
    summary = json.loads(output("summary", edge, "--format", "json"))
    assert summary["totals"]["input_tokens"] == 5 * LARGEST
    rows = output("summary", edge, "--format", "csv").splitlines()
    assert '"totals",,"input_tokens",' in rows
    shown = output("usage", edge, "--by", "is_sidechain", "--columns", "is_sidechain,input_tokens")
    assert shown.splitlines()[-1].split() == ["total", "-"]
