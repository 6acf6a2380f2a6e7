"""Other people's programs: a folder for each game whose official engine Spinney's agents can play in."""
