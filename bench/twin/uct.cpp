// UCT on connect four: the search of spinney/search/ with the default options of `uct`, with or without the solver.
//
// Random numbers are drawn and floats are added in Spinney's order, so that the trees are equal node by node.

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "connect_four.hpp"

namespace {

using connect_four::COLUMNS;
using connect_four::NOBODY;
using connect_four::Position;

constexpr int TABLE = 16384, MAX_DEPTH = 512;
constexpr int OVER = -2;
constexpr int8_t EXPANDED = 1, SOME_PROVEN = 2;
constexpr double CERTAIN = 1.0 - 1e-9, INF = std::numeric_limits<double>::infinity();

struct Node {
    int32_t visits = 0;
    int32_t first = 0;  // the children are contiguous
    int32_t count = 0;
    int32_t action = 0;
    float weight = 0;
    int8_t mover = 0;
    int8_t proven = 0;
    int8_t expanded = 0;
    int8_t room = 0;
    double value[2] = {};

    double mean(int player) const { return value[player] / visits; }
};
static_assert(sizeof(Node) == 40);

struct Settings {
    double c2_log2;
    double root_log[TABLE];
    double inverse_root[TABLE];
};

struct Tree {
    int64_t used, full;
};

// The nodes of one simulation, and where selection preferred a proven child.
struct Path {
    int depth, passed;
    int32_t node[MAX_DEPTH];
    int32_t passed_depth[MAX_DEPTH];
    int32_t passed_child[MAX_DEPTH];
    double reward[2];
};

template <bool solver>
struct Search {
    Node* __restrict nodes;
    int64_t capacity;
    Tree tree;
    const Settings& __restrict o;
    Rng rng;
    Path path;

    double root_log(int n) const {
        if (n < TABLE) return o.root_log[n];
        int doublings = 0;
        for (; n >= TABLE; n >>= 1) ++doublings;
        return std::sqrt(o.root_log[n] * o.root_log[n] + doublings * o.c2_log2);
    }
    double inverse_root(int n) const { return n < TABLE ? o.inverse_root[n] : 1.0 / std::sqrt(n); }

    // The bound of a child that has visits.
    double rate(const Node& node, int player, double explore) const {
        const double root = inverse_root(node.visits);
        return node.value[player] * root * root + explore * root;
    }

    // Add the children of a node in random order.
    bool expand(Node& parent, const Position& position) {
        int32_t actions[COLUMNS];
        int n = 0;
        const uint64_t open = position.open();
        for (int column = 0; column < COLUMNS; ++column) {
            actions[n] = column;
            n += (open & (connect_four::COLUMN << (column * connect_four::HEIGHT))) != 0;
        }
        if (tree.used + n > capacity) {
            tree.full = 1;
            return false;
        }
        for (int i = n - 1; i > 0; --i) std::swap(actions[i], actions[rng.below(i + 1)]);
        Node* const children = nodes + tree.used;
        for (int i = 0; i < n; ++i) children[i] = Node{.action = actions[i]};
        parent.first = static_cast<int32_t>(tree.used);
        parent.count = n;
        parent.expanded = EXPANDED;
        tree.used += n;
        return true;
    }

    // The child with the highest bound, where none is proven. Its comparison compiles to no branch.
    int32_t best_child(const Node& parent, int player) const {
        const double explore = root_log(parent.visits);
        const Node* const children = nodes + parent.first;
        int best = 0;
        double best_bound = -INF;
        for (int i = 0; i < parent.count; ++i) {
            if (children[i].visits == 0) return parent.first + i;
            const double bound = rate(children[i], player, explore);
            best = bound > best_bound ? i : best;
            best_bound = bound > best_bound ? bound : best_bound;
        }
        return parent.first + best;
    }

    // The child with the highest bound among those not proven; the path keeps a proven child that is worth more.
    int32_t best_unproven(const Node& parent, int player) {
        const double explore = root_log(parent.visits);
        const Node* const children = nodes + parent.first;
        int best = 0, proven = 0;
        double best_bound = -INF, proven_value = -INF;
        for (int i = 0; i < parent.count; ++i) {
            const Node& node = children[i];
            if (node.proven) {
                const double value = node.mean(player);
                if (value > proven_value) {
                    proven = i;
                    proven_value = value;
                }
            } else {
                const double bound = node.visits == 0 ? INF : rate(node, player, explore);
                if (bound > best_bound) {
                    best = i;
                    best_bound = bound;
                }
            }
        }
        if (proven_value > best_bound) {
            path.passed_depth[path.passed] = path.depth;
            path.passed_child[path.passed] = parent.first + proven;
            ++path.passed;
        }
        return parent.first + best;
    }

    // From the root to a new node, a proven node, the end of the game, or a limit.
    Node& descend(Position& position) {
        Node* at = nodes;
        int depth = 0;
        path.node[0] = 0;
        path.depth = path.passed = 0;
        while (!position.over) {
            const int player = position.turn();
            if (at->expanded == 0 && !expand(*at, position)) break;
            const int32_t child =
                solver && at->expanded == SOME_PROVEN ? best_unproven(*at, player) : best_child(*at, player);
            at = nodes + child;
            position.drop(at->action);
            path.node[++depth] = child;
            path.depth = depth;
            if (at->visits == 0 || at->proven || depth + 1 == MAX_DEPTH) break;
        }
        return *at;
    }

    void take_exact(const Node& node) {
        path.reward[0] = node.mean(0);
        path.reward[1] = node.mean(1);
    }

    void backup() {
        int passed = path.passed;
        for (int i = path.depth; i >= 0; --i) {
            if (solver && passed > 0 && path.passed_depth[passed - 1] == i) {
                take_exact(nodes[path.passed_child[--passed]]);
            }
            Node& node = nodes[path.node[i]];
            ++node.visits;
            node.value[0] += path.reward[0];
            node.value[1] += path.reward[1];
        }
    }

    // A child is proven: prove the node if that decides it.
    bool prove(Node& parent) {
        if (parent.expanded == 0) return false;
        parent.expanded = SOME_PROVEN;
        const Node* best = nullptr;
        int unproven = 0;
        const int mover = parent.mover;
        for (const Node *node = nodes + parent.first, *end = node + parent.count; node < end; ++node) {
            if (!node->proven) {
                ++unproven;
            } else if (best == nullptr || node->mean(mover) > best->mean(mover)) {
                best = node;
            }
        }
        if (best == nullptr || (unproven > 0 && best->value[mover] < CERTAIN * best->visits)) return false;
        for (int player = 0; player < 2; ++player) {
            parent.value[player] = parent.visits * best->value[player] / best->visits;
        }
        parent.proven = 1;
        return true;
    }

    void prove_path() {
        for (int i = path.depth - 1; i >= 0 && prove(nodes[path.node[i]]); --i) {
        }
    }

    // Run n simulations; returns how many, which is fewer once the root is proven.
    int64_t run(const Position& root, int64_t n) {
        for (int64_t i = 0; i < n; ++i) {
            if (nodes[0].proven) return i;
            Position position = root;
            Node& node = descend(position);
            if (solver && node.proven) {
                take_exact(node);
                backup();
                continue;
            }
            const bool over = position.over;
            node.mover = static_cast<int8_t>(over ? OVER : position.turn());
            position.playout(rng);
            path.reward[0] = position.winner == NOBODY ? 0.5 : position.winner == 0 ? 1.0 : 0.0;
            path.reward[1] = 1.0 - path.reward[0];
            backup();
            if (solver && over) {
                node.proven = 1;
                prove_path();
            }
        }
        return n;
    }
};

template <bool solver>
int64_t search(Node* nodes, int64_t capacity, Tree& tree, const connect_four::StateRecord& root, RngRecord& random,
               const Settings& o, int64_t n) {
    Search<solver> search{nodes, capacity, tree, o, Rng(random), {}};
    const int64_t done = search.run(Position(root), n);
    tree = search.tree;
    search.rng.store(random);
    return done;
}

}  // namespace

// Make a tree that is only a root.
extern "C" void uct_clear(Node* nodes, Tree& tree, const connect_four::StateRecord& root) {
    nodes[0] = Node{.mover = static_cast<int8_t>(root.turn)};
    tree = {1, 0};
}

// Run n simulations from a position; returns how many were made.
extern "C" int64_t uct_search(Node* nodes, int64_t capacity, Tree& tree, const connect_four::StateRecord& root,
                              RngRecord& random, const Settings& o, bool solver, int64_t n) {
    const auto run = solver ? search<true> : search<false>;
    return run(nodes, capacity, tree, root, random, o, n);
}
