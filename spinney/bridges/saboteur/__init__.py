"""A client for the Saboteur server of a course: plain lines of text over TCP."""
