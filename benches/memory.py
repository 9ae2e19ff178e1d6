"""Peak memory of a scan in a process of its own, beyond what importing alone takes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# The peak counts the pages of mapped files too; Linux tells the process's own apart (RssAnon),
# but keeps no peak of it: a thread looks every two milliseconds. Linux also hands ru_maxrss down
# from the process that started this one, so there its own account (VmHWM) is read instead.
_PROGRAM = """
import json, resource, sys, threading, time
import pyarrow, sessionscan
if sys.argv[2] == "rust":
    import sessionscan._core
folder, engine, options = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
peak, running = [0], [True]
def account(name):
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as status:
            return next(int(line.split()[1]) for line in status if line.startswith(name)) * 1024
    except (OSError, StopIteration):
        return None
def look():
    while running[0]:
        peak[0] = max(peak[0], account("RssAnon") or 0)
        time.sleep(0.002)
before = account("RssAnon") or 0
if options is not None:
    thread = threading.Thread(target=look)
    thread.start()
    corpus = sessionscan.scan(folder, engine=engine, **options)
    running[0] = False
    thread.join()
unit = 1 if sys.platform == "darwin" else 1024
most = account("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
print(json.dumps({"resident": most, "own": max(peak[0] - before, 0)}))
"""


def peak(folder: Path, engine: str, **options: object) -> dict[str, int]:
    """Return `resident`: the peak beyond an import's; `own`: the part that is no mapped file."""
    idle, busy = (_measured(folder, engine, choice) for choice in (None, options))
    return {"resident": busy["resident"] - idle["resident"], "own": busy["own"]}


def _measured(folder: Path, engine: str, options: dict[str, object] | None) -> dict[str, int]:
    command = [sys.executable, "-c", _PROGRAM, str(folder), engine, json.dumps(options)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    found: dict[str, int] = json.loads(done.stdout)
    return found
