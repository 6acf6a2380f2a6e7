"""Experiments that play tournaments: the comparisons of the papers with their report, and the tuning of options."""

from spinney.study.tune import Tuning

__all__ = ["Tuning"]
