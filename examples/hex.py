"""Hex on a board of 5x5, as OpenSpiel plays it. Try: spinney watch examples/hex.py "uct(iterations=500)" random"""

from spinney.bridges import open_spiel

GAME = open_spiel.card("hex(board_size=5)")
