"""Reading an output that stands in a file of its own."""

import json
import os

import pytest
import sessionscan as ss

SESSION = "31000000-0000-4000-8000-000000000001"


@pytest.fixture
def corpus(tmp_path, engine):
    """A session whose result names the output at each path, one a record."""

    def scan(*paths):
        folder = tmp_path / "projects" / "p"
        folder.mkdir(parents=True, exist_ok=True)
        lines = [
            {
                "type": "user",
                "sessionId": SESSION,
                "message": {"content": [{"type": "tool_result", "tool_use_id": f"t{number}"}]},
                "toolUseResult": {"persistedOutputPath": path},
            }
            for number, path in enumerate(paths)
        ]
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        (folder / f"{SESSION}.jsonl").write_text(text)
        return ss.scan(tmp_path, engine=engine)

    return scan


@pytest.fixture
def outputs(tmp_path):
    folder = tmp_path / "projects" / "p" / SESSION / "tool-results"
    folder.mkdir(parents=True)
    return folder


def read(corpus, row=0, **options):
    return b"".join(corpus.sidecar(row, **options))


def test_the_content_comes_in_pieces_up_to_the_limit(corpus, outputs):
    content = os.urandom(200_000)
    (outputs / "a.txt").write_bytes(content)
    corpus = corpus(f"/moved/{SESSION}/tool-results/a.txt")
    assert read(corpus) == content
    assert [len(piece) for piece in corpus.sidecar(0)] == [65_536] * 3 + [3_392]
    assert read(corpus, max_bytes=70_000) == content[:70_000]
    assert read(corpus, max_bytes=0) == b""


@pytest.mark.usefixtures("outputs")
def test_what_is_not_there_is_an_error_of_the_system(corpus):
    with pytest.raises(FileNotFoundError):
        read(corpus("tool-results/gone.txt"))


@pytest.mark.usefixtures("outputs")
def test_a_path_that_leads_elsewhere_is_never_opened(corpus, tmp_path):
    (tmp_path / "secret.txt").write_text("secret")
    corpus = corpus(str(tmp_path / "secret.txt"), "tool-results/../../../../secret.txt", "")
    for row in range(3):
        with pytest.raises(ValueError, match="it was not read"):
            read(corpus, row)


def test_a_link_on_the_way_is_not_followed(corpus, outputs, tmp_path):
    (tmp_path / "secret.txt").write_text("secret")
    (outputs / "link.txt").symlink_to(tmp_path / "secret.txt")
    (outputs / "up").symlink_to(tmp_path, target_is_directory=True)
    corpus = corpus("tool-results/link.txt", "tool-results/up/secret.txt")
    for row in range(2):
        with pytest.raises(OSError, match=r"link|directory"):
            read(corpus, row)


def test_a_pipe_does_not_block(corpus, outputs):
    os.mkfifo(outputs / "pipe")
    with pytest.raises(ValueError, match="no regular file"):
        read(corpus("tool-results/pipe"))


@pytest.mark.usefixtures("outputs")
def test_a_row_that_is_not_there_is_refused(corpus):
    corpus = corpus("tool-results/a.txt")
    for row, limit in ((1, 5), (-1, 5), (0, -1)):
        with pytest.raises(ValueError, match="sidecars has 1 rows"):
            corpus.sidecar(row, max_bytes=limit)
