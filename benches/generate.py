"""Write a corpus of invented transcripts: python benches/generate.py OUT --size 500MB --seed 1."""

from __future__ import annotations

import argparse
import re
import sys
import time
from pathlib import Path

from corpora import generate

_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9}


def size(text: str) -> int:
    """Return the bytes that a size such as 500MB or 1.5GB names."""
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) *([KMG]?B?)", text.strip().upper())
    if found is None or found[2] not in _UNITS:
        raise argparse.ArgumentTypeError(f"{text} is not a size such as 10KB, 500MB or 20GB")
    return int(float(found[1]) * _UNITS[found[2]])


def main(arguments: list[str] | None = None) -> int:
    """Write the corpus and say what it holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="a folder that does not exist yet, or is empty")
    parser.add_argument("--size", type=size, default=size("50MB"), help="bytes of transcripts")
    parser.add_argument("--seed", type=int, default=1, help="another seed, another corpus")
    parser.add_argument("--files", type=int, help="number of transcripts; default by size")
    parser.add_argument(
        "--variety", type=float, default=1.0, help="how much more often rare things happen"
    )
    options = parser.parse_args(arguments)
    if options.out.exists() and any(options.out.iterdir()):
        parser.error(f"{options.out} is not empty")
    options.out.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    totals = generate(
        options.out,
        size=options.size,
        seed=options.seed,
        files=options.files,
        variety=options.variety,
    )
    seconds = time.perf_counter() - start
    print(
        f"{totals['bytes']:,} bytes, {totals['files']:,} files, {totals['records']:,} records, "
        f"{totals['responses']:,} responses, {totals['calls']:,} calls in {seconds:.1f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
