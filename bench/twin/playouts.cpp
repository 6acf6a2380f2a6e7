// Random games of connect four, as counted by make_count in spinney/search/rollout.py.

#include "connect_four.hpp"

// Play n games from a position; returns the number of actions.
extern "C" int64_t connect_four_playouts(const connect_four::StateRecord& root, RngRecord& random, int64_t n) {
    Rng rng(random);
    const connect_four::Position start(root);
    int64_t actions = 0;
    for (int64_t i = 0; i < n; ++i) {
        connect_four::Position position = start;
        actions += position.playout(rng);
    }
    rng.store(random);
    return actions;
}
