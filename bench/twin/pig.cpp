// Random games of Pig with two players, as counted by make_count in spinney/search/rollout.py.
//
// Nobody can predict whether a random player rolls or stops, so there is no branch for it: the die is always drawn, and
// taken back by a copy of the generator if the player has stopped.

#include <cstdint>

#include "rng.hpp"

// The record of Spinney.
struct PigRecord {
    int8_t players, faces, piglet, turn, phase, winner;
    int32_t goal, left, need, total, score[10];
};

// Play n games from a position in which a player is to move; returns the number of actions, and writes that of chance
// outcomes.
extern "C" int64_t pig_playouts(const PigRecord& root, RngRecord& random, int64_t n, int64_t& outcomes) {
    Rng rng(random);
    int64_t actions = 0, drawn = 0;
    for (int64_t i = 0; i < n; ++i) {
        int32_t own = root.score[root.turn], other = root.score[1 - root.turn], total = root.total, left = root.left;
        while (true) {
            ++actions;
            --left;
            if (own + total >= root.goal) break;  // it stops, and has won
            const bool stops = rng.below(2) == 1;
            if (left == 0) break;
            Rng rolled = rng;
            const int32_t face = static_cast<int32_t>(rolled.below(root.faces));
            rng.a = stops ? rng.a : rolled.a;
            rng.b = stops ? rng.b : rolled.b;
            rng.c = stops ? rng.c : rolled.c;
            rng.count = stops ? rng.count : rolled.count;
            drawn += !stops;
            own += stops ? total : 0;
            const bool ends = stops || face == 0;
            total = ends ? 0 : total + face + 1;
            const int32_t next = ends ? other : own;
            other = ends ? own : other;
            own = next;
        }
    }
    rng.store(random);
    outcomes = drawn;
    return actions;
}
