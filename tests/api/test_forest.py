"""Planting and drawing: every key once, no loop, any depth."""

import random

import pytest
from sessionscan.forest import depth_first, draw, plant

DEEP = 20_000


def walked(planted):
    return [key for _, key in depth_first(planted.roots, planted.children.__getitem__)]


@pytest.mark.parametrize(
    ("parents", "roots", "cut"),
    [
        ({}, [], set()),
        ({"a": "a"}, ["a"], {"a"}),
        ({"a": "gone"}, ["a"], set()),
        ({"tail": "b", "a": "b", "b": "c", "c": "a"}, ["a"], {"a"}),
        ({"x": "y", "y": "x", "p": "q", "q": "p"}, ["x", "p"], {"x", "p"}),
    ],
)
def test_roots_and_cuts(parents, roots, cut):
    planted = plant(parents)
    assert (planted.roots, set(planted.cut)) == (roots, cut)
    assert sorted(walked(planted)) == sorted(parents)


@pytest.mark.parametrize("seed", range(30))
def test_every_key_stands_once(seed):
    dice = random.Random(seed)  # noqa: S311 (chance, not secrecy)
    keys = list(range(dice.randrange(1, 40)))
    parents = {key: dice.choice([None, dice.choice(keys), -1]) for key in keys}
    planted = plant(parents)
    assert sorted(walked(planted)) == keys
    for root in planted.roots:
        assert parents[root] in (None, -1) or root in planted.cut


def test_depth_costs_neither_the_stack_nor_the_square():
    planted = plant({key: key - 1 if key else None for key in range(DEEP)})
    drawn = list(draw(planted.roots, planted.children.__getitem__, headed=False))
    assert [key for _, key in drawn] == list(range(DEEP))
    assert drawn[-1][0] == f"[{DEEP - 1} deep] "
    assert sum(len(branch) for branch, _ in drawn) < 20 * DEEP


def test_branches_end_where_nothing_follows():
    below = {"a": ["b", "c"], "b": ["d"], "c": ["e"]}
    drawn = draw(["a", "z"], lambda node: below.get(node, []), headed=True)
    assert [branch + node for branch, node in drawn] == [
        "├─ a",
        "│  ├─ b",
        "│  │  └─ d",
        "│  └─ c",
        "│     └─ e",
        "└─ z",
    ]
