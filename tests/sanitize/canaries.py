"""Words that nobody may find again, planted wherever a transcript can hold words."""

import itertools
import json

NUMBER = 8675309867530986753
HOST = "quokkanaut.example.org"
# Shorter ones would stand in so many random letters by chance.
PARTS = ("zebrafa", "brafalke", "quokkan", "kkanaut", "wombatr", "mbatron", "8675309", "09867530")
FORMS = (
    "Zebrafalke",
    "/home/zebrafalke/quokkanaut.txt",
    "https://quokkanaut.example.org:8080/wombatron?zebrafalke=8675309867",
    "mcp__quokkanaut__wombatron",
    "wf_zebrafalke",
    "C:\\Zebrafalke\\wombatron.py",
    "ZEBRAFALKE\nquokkanaut wombatron? é Zebrafalke",
    '{"Zebrafalke": ["quokkanaut", 8675309867530986753, "wom\\u0062atron"]}',
    "<task-notification><task-id>zebrafalke</task-id><status>wombatron</status>8675309867",
    "<persisted-output>saved to: /zebrafalke/tool-results/quokkanaut.txt\n",
    "2026-03-04T10:00:00Zebrafalke",
    "claude-zebrafalke-5",
    "1.0.8675309867",
    "toolu_Zebrafalke",
    "/zebrafalke wombatron",
    "agent-quokkanaut",
    "[Request interrupted by user zebrafalke",
    "image/zebrafalke",
    "<total_tokens>8675309867</total_tokens> quokkanaut",
)


def planted(value, forms):
    """Return JSON with a canary for every string, and one more key for every object."""
    if isinstance(value, str):
        return next(forms)
    if isinstance(value, list):
        return [planted(each, forms) for each in value]
    if isinstance(value, dict):
        made = {key: planted(each, forms) for key, each in value.items()}
        for key in ("trackedFileBackups", "answers"):
            if isinstance(made.get(key), dict):
                made[key] |= {next(forms): each for each in list(made[key].values())}
        return {**made, f"zebrafalke {next(forms)}": NUMBER}
    return value


def appended(value):
    """Return JSON with a canary behind every string."""
    if isinstance(value, str):
        return f"{value} zebrafalke/quokkanaut.{HOST} 8675309867"
    if isinstance(value, list):
        return [appended(each) for each in value]
    if isinstance(value, dict):
        return {key: appended(each) for key, each in value.items()}
    return value


def plant(data):
    """Return the lines of a transcript with canaries, and some that are damaged."""
    forms = [itertools.cycle(FORMS[n:] + FORMS[:n]) for n in range(len(FORMS))]
    made = []
    for number, line in enumerate(data.split(b"\n")):
        try:
            record = json.loads(line)
            planted(record, itertools.repeat(""))
        except (ValueError, RecursionError):
            made.append(line + b" Zebrafalke 8675309867")
            continue
        whole = planted(record, forms[number % len(forms)])
        made += [
            json.dumps(whole).encode(),
            json.dumps(appended(record), ensure_ascii=False).encode("utf-8", "surrogatepass"),
        ]
        made.append(made[-1][: len(made[-1]) // 2] + made[-1])
        made.append(b"quokkanaut " + made[-2][5:])
        made.append(json.dumps("Zebrafalke\\n8675309867").encode())
    return b"\n".join(made)


def leaks(data):
    """Return the canaries that stand in some bytes."""
    text = data.decode("utf-8", "replace").lower()
    return [part for part in PARTS if part in text]
