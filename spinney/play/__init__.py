"""A game in progress: its session, its clock, its frames."""
