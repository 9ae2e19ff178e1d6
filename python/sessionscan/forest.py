"""Trees of what names its own parent: planted without loops, drawn without recursion.

What stands in a file may name a parent that is missing, or lead back to itself, and may
be nested thousands deep. Nothing here recurses, and no loop survives planting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

Key = TypeVar("Key", bound="str | int")
Node = TypeVar("Node")

# Deeper than this a line says how deep it is: a bar per level would leave no room, and
# a tree of n levels would take n times n characters.
_BARS = 24


class Planted(NamedTuple, Generic[Key]):
    """A forest of keys.

    `roots` and each list of `children` are in the order in which the keys were given;
    `cut` names the roots whose parents lead back to them.
    """

    roots: list[Key]
    children: dict[Key, list[Key]]
    cut: frozenset[Key]


def plant(parents: Mapping[Key, Key | None]) -> Planted[Key]:
    """Return the forest of keys, each below its parent.

    A key without a parent, or with one that is no key, is a root. Of keys whose parents
    run in a circle the first is made a root, and the others hang below it.

    >>> plant({"a": None, "b": "a", "c": "gone"}).roots
    ['a', 'c']
    >>> plant({"a": "b", "b": "a"})
    Planted(roots=['a'], children={'a': ['b'], 'b': []}, cut=frozenset({'a'}))
    """
    cut = _first_of_each_circle(parents)
    children: dict[Key, list[Key]] = {key: [] for key in parents}
    roots = []
    for key, parent in parents.items():
        if parent is None or parent not in parents or key in cut:
            roots.append(key)
        else:
            children[parent].append(key)
    return Planted(roots, children, cut)


def _first_of_each_circle(parents: Mapping[Key, Key | None]) -> frozenset[Key]:
    place = {key: index for index, key in enumerate(parents)}
    walk_of: dict[Key, int] = {}
    first = set()
    for walk, start in enumerate(parents):
        path = []
        key: Key | None = start
        while key is not None and key in parents and key not in walk_of:
            walk_of[key] = walk
            path.append(key)
            key = parents[key]
        if key is not None and walk_of.get(key) == walk:
            first.add(min(path[path.index(key) :], key=place.__getitem__))
    return frozenset(first)


def depth_first(
    roots: Sequence[Node], children: Callable[[Node], Sequence[Node]]
) -> Iterator[tuple[int, Node]]:
    """Yield every node behind its parent, with its depth; a root's is 0."""
    stack = [(0, node) for node in reversed(roots)]
    while stack:
        depth, node = stack.pop()
        yield depth, node
        stack.extend((depth + 1, child) for child in reversed(children(node)))


def draw(
    roots: Sequence[Node], children: Callable[[Node], Sequence[Node]], *, headed: bool
) -> Iterator[tuple[str, Node]]:
    """Yield every node behind its parent, with what is drawn before it.

    Args:
        roots: the nodes on top.
        children: gives the nodes below one.
        headed: a line stands above the roots, so they have branches too.

    >>> below = {"a": ["b", "c"], "b": ["d"]}
    >>> for branch, node in draw(["a"], lambda node: below.get(node, []), headed=False):
    ...     print(branch + node)
    a
    ├─ b
    │  └─ d
    └─ c
    """
    stack = [(node, "", node is roots[-1], 0) for node in reversed(roots)]
    while stack:
        node, bars, last, depth = stack.pop()
        branched = headed or depth > 0
        mark = ("└─ " if last else "├─ ") if branched else ""
        yield (bars + mark if depth <= _BARS else f"[{depth} deep] "), node
        if branched and depth < _BARS:
            bars += "   " if last else "│  "
        below = children(node)
        stack.extend((child, bars, child is below[-1], depth + 1) for child in reversed(below))
