"""The searches: one file an algorithm. A search never knows which game it plays."""

from __future__ import annotations

from typing import Any

from spinney.search.alphabeta import AlphaBeta, AlphaBetaOptions
from spinney.search.base import Search, SearchOptions
from spinney.search.decoupled import Decoupled, DecoupledOptions
from spinney.search.flat import Flat, FlatOptions
from spinney.search.forest import Forest, ForestOptions
from spinney.search.infoset import Infoset, InfosetOptions
from spinney.search.joint import Joint, JointOptions
from spinney.search.network import Network, NetworkOptions
from spinney.search.result import Choice, Node, SearchResult
from spinney.search.tree_search import TreeSearch
from spinney.search.uct import Uct, UctOptions

__all__ = ["SEARCHES", "Choice", "Node", "Search", "SearchOptions", "SearchResult", "TreeSearch"]

SEARCHES: dict[str, tuple[type[Search[Any]], type[SearchOptions]]] = {
    "flat": (Flat, FlatOptions),
    "uct": (Uct, UctOptions),
    "joint": (Joint, JointOptions),
    "decoupled": (Decoupled, DecoupledOptions),
    "infoset": (Infoset, InfosetOptions),
    "alphabeta": (AlphaBeta, AlphaBetaOptions),
    "forest": (Forest, ForestOptions),
    "net_search": (Network, NetworkOptions),
}
"""Every search by name, with its options."""
