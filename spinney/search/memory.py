"""The memory of one tree: its nodes, which are used again for the next decision, and its workspace."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np

from spinney.errors import BadOption
from spinney.kernel import Record, Rng, block
from spinney.search.tree import ROOT, clear, write
from spinney.search.workspace import Settings, fill_rng, form


class Memory:
    """A block of nodes. It is used for one decision after the other, because new memory may be slow to get; but not
    while the tree of an earlier decision is still referred to, nor after a search that was interrupted, whose threads
    may still write to it."""

    def __init__(self, nodes: Any) -> None:
        self.nodes = nodes
        self._shown: weakref.ref[Any] | None = None
        """The view that a caller may refer to; none during a search."""

    def take(self) -> None:
        """Begin another tree."""
        self._shown = None

    def show(self) -> Any:
        """The nodes for a caller, who may keep them. Those of a plain search are not used again."""
        shown = self.nodes.view() if isinstance(self.nodes, np.ndarray) else self.nodes
        self._shown = weakref.ref(shown)
        return shown

    @property
    def free(self) -> bool:
        """Whether the search in it has ended, and no caller refers to its tree."""
        return self._shown is not None and self._shown() is None


class Worker:
    """The workspace of a thread and its tree, in the form that the search runs in. A worker may grow the tree of
    another one, its owner."""

    def __init__(
        self, node: type[Record], workspace: type[Record], settings: Settings, rng: Rng, capacity: int, plain: bool,
        owner: Worker | None = None,
    ) -> None:  # fmt: skip
        self.owner = owner or self
        self.node, self.capacity, self.plain = node, capacity, plain
        self.settings = self.form(type(settings), settings)
        self.work = self.form(workspace)
        fill_rng(self.work.rng, rng)
        self.memory = [Memory(block(node, 1, plain))]
        """The memory of the tree, and that of the tree before it, which may be copied from, or shown."""

    def form(self, record: type[Record], filled: Record | None = None) -> Any:
        """A record in the worker's form."""
        return form(record, self.plain, filled)

    @property
    def nodes(self) -> Any:
        """The tree."""
        return self.owner.memory[0].nodes

    def clear(self, most: float = inf, *, keep: bool = False) -> None:
        """A tree that is only a root, for a search that needs at most this many nodes. With `keep`, the last tree is
        not overwritten."""
        size = int(min(self.capacity, most))
        blocks = self.memory[1:] if keep else self.memory
        memory = next((one for one in blocks if one.free and len(one.nodes) >= size), None)
        if memory is None:
            try:
                memory = Memory(block(self.node, size, self.plain))
            except MemoryError:
                raise BadOption(f"option 'nodes': there is no memory for {self.capacity:,} nodes here") from None
        memory.take()
        self.memory = [memory, *(other for other in self.memory if other is not memory)][:2]
        write(self.nodes[ROOT], 0, 0.0)
        clear(self.work.tree, len(self.nodes))

    def forget(self, names: Sequence[str]) -> None:
        """Set parts of the workspace to zero."""
        for name in names:
            if self.plain:
                setattr(self.work, name, type(getattr(self.work, name))())
            else:
                self.work[name] = np.zeros((), self.work[name].dtype)


def divide(workers: Sequence[Worker]) -> None:
    """Give all workers that grow one tree, its owner first, equal parts of the memory that is left."""
    used, end = int(workers[0].work.tree.used), len(workers[0].nodes)
    for i, worker in enumerate(workers):
        tree = worker.work.tree
        if i > 0:
            clear(tree, end)
            tree.nodes = 0  # those in the tree are counted by the owner
        tree.used = used + (end - used) * i // len(workers)
        tree.limit = used + (end - used) * (i + 1) // len(workers)
