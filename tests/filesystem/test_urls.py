"""URLs as sources: what they lead to, and what of them is never shown."""

import pickle
import traceback
from pathlib import Path

import pytest
import sessionscan as ss
from cli.command import run
from parity.compare import assert_equal, scan
from pyarrow import fs
from sessionscan import remote_roots, urls
from sessionscan.remote import Store
from sessionscan.sources import Root, locate, resolve

FIXTURES = Path(__file__).parents[2] / "fixtures"
SECRET = "hunter2hunter2"  # noqa: S105


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("s3://bucket/home", "s3://bucket/home"),
        (f"s3://key:{SECRET}@bucket/home?region=eu-west-1", "s3://bucket/home"),
        (f"s3://key:{SECRET[:7]}/{SECRET[7:]}@bucket/home", "s3://bucket/home"),
        ("s3://bucket/user@host/x", "s3://bucket/user@host/x"),
        ("s3://host:9000/user@host/x", "s3://host:9000/user@host/x"),
        ("gs://anonymous@bucket/home#part", "gs://bucket/home"),
        (
            f"abfs://box:{SECRET}@acc.dfs.core.windows.net/h",
            "abfs://box@acc.dfs.core.windows.net/h",
        ),
        (
            f"abfss://acc.blob.core.windows.net/b/h?sig={SECRET}",
            "abfss://acc.blob.core.windows.net/b/h",
        ),
        (f"nosuch://user:{SECRET}@host/x", "nosuch://host/x"),
    ],
)
def test_credentials_are_not_shown(url, shown):
    parsed = urls.parse(url)
    assert parsed.shown == shown
    assert SECRET not in shown
    if SECRET in url:
        assert SECRET not in urls.scrubbed(f"{url} failed; {SECRET}", parsed.secrets)


@pytest.mark.parametrize("path", ["home", "/srv/home", "C://x", "a:b", "./s3://x", ""])
def test_a_path_is_no_url(path):
    assert urls.parse(path) is None


def test_a_password_is_hidden_however_it_is_spelled():
    parsed = urls.parse("s3://key:pass%2Fword@bucket")
    said = urls.scrubbed("pass%2Fword and pass/word and key", parsed.secrets)
    assert said == f"{urls.HIDDEN} and {urls.HIDDEN} and {urls.HIDDEN}"


def test_what_names_a_region_may_be_said():
    parsed = urls.parse("s3://bucket/x?region=eu-west-1&endpoint_override=storage:9000")
    assert parsed.secrets == ()


def test_a_file_url_is_its_path_on_the_disk(engine, tmp_path):
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "x.jsonl").write_text("{}\n")
    url = f"{tmp_path.as_uri()}/a%20b"
    assert locate(url) == ([Root(url, str(tmp_path / "a b"))], None)
    assert locate(f"{url}/*.jsonl").roots == [
        Root(f"{url}/*.jsonl", str(tmp_path / "a b" / "x.jsonl"))
    ]
    corpus = ss.scan([url, tmp_path], engine=engine)
    assert corpus.files["source"].to_pylist() == [url]
    assert corpus.files["path"].to_pylist() == [str(tmp_path / "a b" / "x.jsonl")]


def test_a_file_url_gives_the_tables_of_the_path(engine):
    path = FIXTURES / "corpus"
    ours, plain = scan(path.as_uri(), engine), scan(path, engine)
    assert ours.files["source"].to_pylist() == [path.as_uri()] * plain.files.num_rows
    for name in plain.table_names:
        if name not in {"files", "sessions"}:
            assert ours.table(name).equals(plain.table(name), check_metadata=True), name
    assert ours.coverage == plain.coverage


def shelf(monkeypatch):
    """Let URLs `s3://` lead to the fixtures, one file system for each bucket but `same…`."""
    systems = {}

    def from_uri(source):
        bucket, _, path = urls.parse(source).shown.removeprefix("s3://").partition("/")
        name = "same" if bucket.startswith("same") else bucket
        base = FIXTURES / ("claude" if name == "other" else "")
        system = systems.setdefault(name, fs.SubTreeFileSystem(str(base), fs.LocalFileSystem()))
        return system, path

    monkeypatch.setattr(remote_roots, "_from_uri", from_uri)


def test_a_url_gives_the_tables_of_the_disk(engine, monkeypatch):
    """All but what is spelled as the URL is, without its credentials."""
    shelf(monkeypatch)
    monkeypatch.chdir(FIXTURES)
    for home in ("claude/workflow", "claude/persisted_output", "corpus"):
        ours = scan(f"s3://key:{SECRET}@same/{home}", engine, text=True)
        plain = scan(home, engine, text=True)
        assert ours.coverage == plain.coverage
        for name in plain.table_names:
            told, expected = (each.table(name).to_pylist() for each in (ours, plain))
            for row in told:
                for column in ("path", "source", "meta_path"):
                    if isinstance(row.get(column), str):
                        row[column] = row[column].replace("s3://same/", "")
                if "sources" in row:
                    row["sources"] = [label.replace("s3://same/", "") for label in row["sources"]]
            assert told == expected, name
        assert all(path.startswith(f"s3://same/{home}/") for path in ours.files["path"].to_pylist())
        assert set(ours.files["source"].to_pylist()) == {f"s3://same/{home}"}


def test_several_urls_of_one_file_system(engine, monkeypatch):
    shelf(monkeypatch)
    sources = ["s3://same-a/claude/copies", "s3://same-b/corpus/"]
    both = scan(sources, engine)
    assert list(dict.fromkeys(both.files["source"].to_pylist())) == sources
    assert "s3://same-b/corpus/projects" in both.files["path"].to_pylist()[-1]
    assert both.coverage.files_found == sum(scan(s, engine).coverage.files_found for s in sources)


def test_a_sidecar_of_a_url(engine, monkeypatch):
    shelf(monkeypatch)
    corpus = ss.scan("s3://same/claude/persisted_output", engine=engine)
    assert b"".join(corpus.sidecar(0, max_bytes=80)).startswith(b"2026-08-03 00:00 gauge-7")


def test_sources_in_several_file_systems_are_refused(monkeypatch):
    shelf(monkeypatch)
    with pytest.raises(ValueError, match="scan these apart: s3://same/corpus and s3://other/"):
        locate(["s3://same/corpus", "s3://other/copies"])
    for sources in (["s3://same/corpus", str(FIXTURES)], [str(FIXTURES), "s3://same/corpus"]):
        with pytest.raises(ValueError, match="on this disk in a scan of its own"):
            locate(sources)
    with pytest.raises(ValueError, match="is a URL"):
        locate(f"s3://key:{SECRET}@same/corpus", fs.LocalFileSystem())


def test_arguments_that_mean_nothing():
    with pytest.raises(TypeError, match=r"pyarrow\.fs\.FileSystem, not str.*fsspec"):
        ss.scan("corpus", filesystem="s3")
    with pytest.raises(ValueError, match="homes"):
        ss.scan(filesystem=fs.LocalFileSystem())
    with pytest.raises(ValueError, match="no source"):
        ss.scan([], filesystem=fs.LocalFileSystem())
    with pytest.raises(TypeError, match="source is a str"):
        ss.scan([5], filesystem=fs.LocalFileSystem())
    with pytest.raises(ValueError, match="not on this disk"):
        resolve("s3://bucket")


@pytest.mark.parametrize(
    ("url", "error"),
    [
        (f"nosuch://user:{SECRET}@host/x", ValueError),
        (f"file://user:{SECRET}@/srv", ValueError),
        (f"s3://key:{SECRET} @bucket/x", ValueError),
        (f"s3://bucket/x?region=eu-west-1&token={SECRET}", ValueError),
        (f"hdfs://user:{SECRET}@nowhere.invalid/x", OSError),
        (f"s3://key:{SECRET}@same/nowhere", FileNotFoundError),
    ],
)
def test_no_error_shows_a_password(url, error, monkeypatch):
    if "@same" in url:
        shelf(monkeypatch)
    for call in (ss.scan, ss.census, lambda source: ss.reader(source, "usage")):
        with pytest.raises(error) as raised:
            call(url)
        said = "".join(traceback.format_exception(raised.value)) + repr(raised.value.args)
        assert SECRET not in said
        assert raised.value.__cause__ is None
        assert SECRET not in str(raised.value.__context__)


def test_the_command_takes_urls(monkeypatch):
    shelf(monkeypatch)
    done = run("table", "files", "--format", "csv", "--limit", "0", f"s3://k:{SECRET}@same/corpus")
    assert done.returncode == 0
    assert b"s3://same/corpus/projects/" in done.stdout
    assert SECRET.encode() not in done.stdout + done.stderr
    done = run("usage", f"s3://k:{SECRET}@same/nowhere")
    assert done.returncode == 2
    assert b"s3://same/nowhere" in done.stderr
    assert SECRET.encode() not in done.stdout + done.stderr


def test_a_store_travels_to_other_processes():
    store = Store(fs.LocalFileSystem(), {"a": "s3://a"}, (SECRET,))
    store.read_at(str(FIXTURES / "README.md"), 0, 1)
    other = pickle.loads(pickle.dumps(store))  # noqa: S301
    assert other.spelled("a") == "s3://a"
    assert other.read_at(str(FIXTURES / "README.md"), 0, 1) == b"#"


def test_what_a_password_led_to_is_the_same_corpus(engine, monkeypatch):
    shelf(monkeypatch)
    assert_equal(scan(f"s3://key:{SECRET}@same/corpus", engine), scan("s3://same/corpus", engine))
