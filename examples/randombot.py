"""A program that plays every game at random, by the line protocol (docs/agent-protocol.md)."""

import random
import sys

legal = []
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "seed":
        random.seed(int(rest))
    elif word == "start":
        print("ready", flush=True)
    elif word == "legal":
        legal.append(rest.split(" ", 1)[0])
    elif word == "decide":
        print("action", random.choice(legal), flush=True)
        legal = []
