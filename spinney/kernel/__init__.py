"""Records, random numbers, and compilation of code that also runs as plain Python. Independent of games."""

from spinney.kernel.record import Nested, Record, assign, block, digest, f32, f64, i8, i16, i32, i64
from spinney.kernel.rng import Rng, below, next32, seed, seeded, uniform
from spinney.kernel.rule import bind, rule

__all__ = [
    "Nested", "Record", "Rng", "assign", "below", "bind", "block", "digest", "f32", "f64", "i8", "i16", "i32", "i64",
    "next32", "rule", "seed", "seeded", "uniform",
]  # fmt: skip
