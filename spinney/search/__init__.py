"""The searches: one file an algorithm. A search never knows which game it plays."""

from __future__ import annotations

from typing import Any

from spinney.search.alphabeta import AlphaBeta, AlphaBetaOptions
from spinney.search.budget import Budget
from spinney.search.decoupled import Decoupled, DecoupledOptions
from spinney.search.driver import TreeSearch
from spinney.search.flat import Flat, FlatOptions
from spinney.search.forest import Forest, ForestOptions
from spinney.search.found import Edge, Found, Node
from spinney.search.infoset import Infoset, InfosetOptions
from spinney.search.joint import Joint, JointOptions
from spinney.search.network import Network, NetworkOptions
from spinney.search.search import Search, SearchOptions
from spinney.search.uct import Uct, UctOptions

__all__ = ["SEARCHES", "Budget", "Edge", "Found", "Node", "Search", "SearchOptions", "TreeSearch"]

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
