// Connect four, as in spinney/games/connect_four/. A column takes seven bits, of which the highest stays empty.
#pragma once

#include <cstdint>

#include "rng.hpp"

namespace connect_four {

inline constexpr int COLUMNS = 7, ROWS = 6, HEIGHT = ROWS + 1, CELLS = COLUMNS * ROWS;
inline constexpr int NOBODY = -1;
inline constexpr uint64_t COLUMN = (1ULL << ROWS) - 1;

constexpr uint64_t all_columns(uint64_t column) {
    uint64_t all = 0;
    for (int i = 0; i < COLUMNS; ++i) all |= column << (i * HEIGHT);
    return all;
}

inline constexpr uint64_t BOTTOM = all_columns(1), BOARD = all_columns(COLUMN);

// The record of Spinney.
struct StateRecord {
    int64_t own, filled, count, turn, winner;
};

inline bool has_line(uint64_t stones) {
    uint64_t pairs = stones & (stones >> 1);
    uint64_t lines = pairs & (pairs >> 2);
    pairs = stones & (stones >> HEIGHT);
    lines |= pairs & (pairs >> (2 * HEIGHT));
    pairs = stones & (stones >> (HEIGHT - 1));
    lines |= pairs & (pairs >> (2 * (HEIGHT - 1)));
    pairs = stones & (stones >> (HEIGHT + 1));
    lines |= pairs & (pairs >> (2 * (HEIGHT + 1)));
    return lines != 0;
}

// A position for the player to move: its own stones and all stones. Players alternate, so the count tells who it is.
struct Position {
    uint64_t own, filled;
    int count;
    bool over;
    int winner;

    explicit Position(const StateRecord& s)
        : own(static_cast<uint64_t>(s.own)),
          filled(static_cast<uint64_t>(s.filled)),
          count(static_cast<int>(s.count)),
          over(s.turn < 0),
          winner(static_cast<int>(s.winner)) {}

    int turn() const { return count & 1; }

    // The lowest empty cell of every column that is not full.
    uint64_t open() const { return (filled + BOTTOM) & BOARD; }

    // Place a stone on a cell.
    void place(uint64_t cell) {
        const uint64_t stones = own | cell;
        own ^= filled;
        filled |= cell;
        ++count;
        if (has_line(stones)) {
            winner = turn() ^ 1;
            over = true;
        } else if (count == CELLS) {
            over = true;
        }
    }

    void drop(int column) { place(open() & (COLUMN << (column * HEIGHT))); }

    // Play to the end at random; returns the number of actions.
    int playout(Rng& rng) {
        const int before = count;
        while (!over) {
            const uint64_t cells = open();
            uint64_t cell;
            do {
                cell = cells & (COLUMN << (rng.below(COLUMNS) * HEIGHT));
            } while (cell == 0);
            place(cell);
        }
        return count - before;
    }
};

}  // namespace connect_four
