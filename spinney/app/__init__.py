"""The app: play, watch, analyse and advise at the table in a web browser.

A browser loads a page, then a WebSocket tells it what happens in a room, and it asks for changes by POST. Rooms are
games in progress; everything about games, agents and pictures comes from the other packages.
"""
