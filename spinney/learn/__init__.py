"""Training of networks by self-play. Only this package uses torch."""
