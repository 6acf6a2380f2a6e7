"""The searches: one file an algorithm. A search never knows which game it plays."""

from __future__ import annotations

from spinney.search.alphabeta import ALPHABETA
from spinney.search.base import Algorithm, Search
from spinney.search.decoupled import DECOUPLED
from spinney.search.flat import FLAT
from spinney.search.forest import FOREST
from spinney.search.infoset import INFOSET
from spinney.search.joint import JOINT
from spinney.search.mccfr import MCCFR
from spinney.search.network import NETWORK
from spinney.search.node import Node
from spinney.search.nrpa import NRPA
from spinney.search.options import SearchOptions
from spinney.search.result import Choice, SearchResult
from spinney.search.tree_search import TreeAlgorithm, TreeSearch
from spinney.search.uct import UCT

__all__ = [
    "SEARCHES", "Algorithm", "Choice", "Node", "Search", "SearchOptions", "SearchResult", "TreeAlgorithm", "TreeSearch",
]  # fmt: skip

ALGORITHMS: tuple[Algorithm, ...] = (FLAT, UCT, JOINT, DECOUPLED, INFOSET, MCCFR, ALPHABETA, FOREST, NRPA, NETWORK)
SEARCHES: dict[str, tuple[Algorithm, type[SearchOptions]]] = {
    algorithm.label: (algorithm, algorithm.options) for algorithm in ALGORITHMS
}
"""Every search by name, with its options."""
