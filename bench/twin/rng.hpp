// The generator sfc32, as in spinney/kernel/rng.py. The numbers fit 32 bits, so that no masks are needed.
#pragma once

#include <cstdint>

// The record of Spinney.
struct RngRecord {
    int64_t a, b, c, count;
};

// A copy of the record, which compilers keep in registers; `store` writes it back.
struct Rng {
    uint32_t a, b, c, count;

    explicit Rng(const RngRecord& from)
        : a(static_cast<uint32_t>(from.a)),
          b(static_cast<uint32_t>(from.b)),
          c(static_cast<uint32_t>(from.c)),
          count(static_cast<uint32_t>(from.count)) {}

    void store(RngRecord& to) const { to = {a, b, c, count}; }

    uint32_t next() {
        const uint32_t t = a + b + count++;
        a = b ^ (b >> 9);
        b = c + (c << 3);
        c = ((c << 21) | (c >> 11)) + t;
        return t;
    }

    // A uniform integer in [0, n).
    uint32_t below(uint32_t n) { return static_cast<uint32_t>((static_cast<uint64_t>(next()) * n) >> 32); }
};
