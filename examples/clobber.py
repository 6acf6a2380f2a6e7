"""Clobber on 4x5 cells, as OpenSpiel plays it. Try: spinney watch examples/clobber.py "uct(iterations=500)" random"""

from spinney.bridges import open_spiel

GAME = open_spiel.card("clobber(rows=4,columns=5)")
