"""Learning: networks trained by self-play. Torch is known here alone."""
