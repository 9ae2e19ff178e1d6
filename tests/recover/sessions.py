"""Homes with a session that kept files, made for a test."""

import itertools
import json

SESSION = "41000000-0000-4000-8000-000000000001"
DAY = "2026-03-04T"
_NUMBERS = itertools.count()


def backup(name, version, time=None):
    """Give a tracked backup as a record has it; a name of None is a tombstone."""
    time = f"{DAY}10:00:{version:02}Z" if time is None else time
    return {"backupFileName": name, "version": version, "backupTime": time}


def snapshot(time="09:00:00", **tracked):
    return snapshot_of(tracked, time)


def snapshot_of(tracked, time="09:00:00"):
    held = {"trackedFileBackups": tracked, "timestamp": f"{DAY}{time}Z"}
    return {"type": "file-history-snapshot", "messageId": "m", "snapshot": held}


def delta(path, tracked, time="09:00:00"):
    return {
        "type": "file-history-delta",
        "trackingPath": path,
        "backup": tracked,
        "timestamp": f"{DAY}{time}Z",
        "sessionId": SESSION,
    }


def call(path, content=None, time="11:00:00", name="Write", **result):
    """Give a call that changes a file; `is_error` or `toolDenialKind` add its result."""
    name_of_call = f"t{next(_NUMBERS)}"
    block = {
        "type": "tool_use",
        "id": name_of_call,
        "name": name,
        "input": {"file_path": path, "content": content},
    }
    moment = None if time is None else f"{DAY}{time}Z"
    made = {"type": "assistant", "timestamp": moment, "message": {"content": [block]}}
    if not result:
        return [made]
    is_error = result.pop("is_error", None)
    answer = {"type": "tool_result", "tool_use_id": name_of_call, "is_error": is_error}
    return [made, {"type": "user", "message": {"content": [answer]}, **result}]


def home(folder, records, backups=None, session=SESSION):
    """Make a home with one transcript and its backups; return it."""
    place = folder / "projects" / "-tide"
    place.mkdir(parents=True)
    lines = (
        json.dumps({"sessionId": session, "cwd": "/tide", **record}) + "\n" for record in records
    )
    (place / f"{session}.jsonl").write_text("".join(lines))
    for name, content in (backups or {}).items():
        kept = folder / "file-history" / session / name
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(content)
    return folder


def tree(folder):
    """Return every file below a folder with its bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
