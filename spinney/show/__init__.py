"""Positions and games as text, SVG and HTML."""
