// Random games of BattleSnake: the rules of spinney/games/battlesnake/ with its player `trivial`, and the loop of
// make_count in spinney/search/rollout.py. The state is Spinney's record, field by field.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "rng.hpp"

namespace {

constexpr int MAX_PLAYERS = 8, LONGEST = 25, STRIDE = LONGEST + 2, SQUARES = STRIDE * STRIDE;
constexpr int FULL_HEALTH = 100, NOBODY = -1, MOVES = 4;
constexpr int FOOD = 1, WALL = 9 << 3;
constexpr int NONE = 0, SIDES = SQUARES, TRIES = 32;  // outcomes of chance

enum Direction { UP, DOWN, LEFT, RIGHT };
enum Phase : int8_t { MOVE, SPAWN, SHRINK, FINISHED };
enum Cause : int8_t {
    ALIVE,
    UNTOLD,
    OUT_OF_HEALTH,
    WALL_COLLISION,
    HAZARD,
    SELF_COLLISION,
    BODY_COLLISION,
    HEAD_COLLISION,
};

struct State {
    int8_t players, width, height, wrapped, constrictor, royale, food_chance;
    int16_t minimum_food, hazard_damage, shrink_every;
    int32_t turn;
    int8_t phase, living;
    int16_t food, missing;
    int32_t hazards;
    int16_t head[MAX_PLAYERS], tail[MAX_PLAYERS], length[MAX_PLAYERS], stacked[MAX_PLAYERS];
    int8_t health[MAX_PLAYERS], facing[MAX_PLAYERS], cause[MAX_PLAYERS], by[MAX_PLAYERS];
    int32_t fell[MAX_PLAYERS];
    int8_t cell[SQUARES];  // 8 x snake from 1 + 2 x direction + FOOD
    int8_t hazard[SQUARES];
};

constexpr int square(int x, int y) { return (y + 1) * STRIDE + x + 1; }

int wrap(const State& s, int at, int direction) {
    switch (direction) {
        case UP: return at - s.height * STRIDE;
        case DOWN: return at + s.height * STRIDE;
        case LEFT: return at + s.width;
        default: return at - s.width;
    }
}

inline int step(const State& s, int at, int direction) {
    constexpr int OFFSETS[MOVES] = {STRIDE, -STRIDE, -1, 1};
    const int to = at + OFFSETS[direction];
    return s.wrapped && s.cell[to] == WALL ? wrap(s, to, direction) : to;
}

inline int owner(const State& s, int at) { return (s.cell[at] >> 3) - 1; }

inline int onward(const State& s, int at) { return (s.cell[at] >> 1) & 3; }

// ---- the rollout policy

// The set bits of every set of moves, from the lowest.
struct SetBits {
    int8_t nth[1 << MOVES][MOVES] = {};

    constexpr SetBits() {
        for (unsigned bits = 0; bits < 1 << MOVES; ++bits) {
            int n = 0;
            for (int8_t move = 0; move < MOVES; ++move) {
                if ((bits >> move) & 1) nth[bits][n++] = move;
            }
        }
    }
};
constexpr SetBits SET_BITS;

// Without branches: what is on a square is hard to predict.
inline bool is_safe(const State& s, int player, int to) {
    const int there = s.cell[to];
    const int other = ((there >> 3) - 1) & (MAX_PLAYERS - 1);
    const bool leaves = (there < WALL) & (s.tail[other] == to) & (s.stacked[other] == 0);
    int health = s.health[player] - 1;
    if (s.hazards > 0) health -= s.hazard[to] * s.hazard_damage;
    return ((there <= FOOD) | leaves) & ((health > 0) | (there & FOOD));
}

inline int trivial(const State& s, int player, Rng& rng) {
    const int head = s.head[player];
    unsigned safe = 0;
    for (int direction = 0; direction < MOVES; ++direction) {
        safe |= static_cast<unsigned>(is_safe(s, player, step(s, head, direction))) << direction;
    }
    if (safe == 0) return s.facing[player];
    return SET_BITS.nth[safe][rng.below(std::popcount(safe))];
}

// ---- chance

inline void end_turn(State& s) {
    s.phase = s.living > 1 || (s.living == 1 && s.players == 1) ? MOVE : FINISHED;
}

inline void end_spawning(State& s) {
    s.missing = 0;
    if (s.royale && s.turn % s.shrink_every == 0) {
        s.phase = SHRINK;
    } else {
        end_turn(s);
    }
}

inline void begin_spawning(State& s) {
    s.missing = static_cast<int16_t>(std::max(0, s.minimum_food - s.food));
    if (!s.constrictor && (s.missing > 0 || s.food_chance > 1)) {
        s.phase = SPAWN;
    } else {
        end_spawning(s);
    }
}

inline bool is_head(const State& s, int at) {
    const int player = owner(s, at);
    return 0 <= player && player < MAX_PLAYERS && s.head[player] == at;
}

inline bool is_free(const State& s, int at) {
    return s.cell[at] == 0 &&
           !(is_head(s, at + 1) || is_head(s, at - 1) || is_head(s, at + STRIDE) || is_head(s, at - STRIDE));
}

int any_free(const State& s, Rng& rng) {
    for (int i = 0; i < TRIES; ++i) {
        const int x = static_cast<int>(rng.below(s.width));
        const int at = square(x, static_cast<int>(rng.below(s.height)));
        if (is_free(s, at)) return at;
    }
    int n = 0;
    for (int at = 0; at < SQUARES; ++at) n += is_free(s, at);
    if (n == 0) return NONE;
    n = static_cast<int>(rng.below(n));
    int at = 0;
    while (n > 0 || !is_free(s, at)) n -= is_free(s, at++);
    return at;
}

inline int chance(const State& s, Rng& rng) {
    if (s.phase == SHRINK) return SIDES + static_cast<int>(rng.below(4));
    if (s.missing == 0 && static_cast<int>(rng.below(100)) >= s.food_chance - 1) return NONE;
    return any_free(s, rng);
}

void shrink(State& s, int side) {
    const int lines = side < 2 ? s.width : s.height, across = side < 2 ? s.height : s.width;
    for (int i = 0; i < lines; ++i) {
        const int line = side % 2 == 0 ? i : lines - 1 - i;
        int added = 0;
        for (int j = 0; j < across; ++j) {
            int8_t& hazard = s.hazard[side < 2 ? square(line, j) : square(j, line)];
            added += hazard == 0;
            if (hazard == 0) hazard = 1;
        }
        if (added > 0) {
            s.hazards += added;
            return;
        }
    }
}

inline void apply(State& s, int outcome) {
    if (s.phase == SHRINK) {
        if (outcome >= SIDES) shrink(s, outcome - SIDES);
        end_turn(s);
    } else if (outcome == NONE) {
        end_spawning(s);
    } else {
        s.cell[outcome] |= FOOD;
        ++s.food;
        if (--s.missing <= 0) end_spawning(s);
    }
}

// ---- a turn

inline void eliminate(State& s, int player, Cause cause, int by) {
    s.cause[player] = cause;
    s.by[player] = static_cast<int8_t>(by);
    s.fell[player] = s.turn;
    --s.living;
}

void remove(State& s, int player) {
    int at = s.tail[player];
    for (int left = s.length[player] - s.stacked[player] - 1; left > 0; --left) {
        const int way = onward(s, at);
        s.cell[at] &= FOOD;
        at = step(s, at, way);
    }
}

inline void take_food(State& s, int at) {
    if (s.cell[at] & FOOD) {
        s.cell[at] ^= FOOD;
        --s.food;
    }
}

inline void move(State& s, int player, int direction) {
    int head = s.head[player];
    s.cell[head] |= static_cast<int8_t>(direction << 1);
    if (s.stacked[player] > 0) {
        --s.stacked[player];
    } else {
        const int tail = s.tail[player];
        const int way = onward(s, tail);
        s.cell[tail] &= FOOD;
        s.tail[player] = static_cast<int16_t>(step(s, tail, way));
    }
    head = step(s, head, direction);
    s.head[player] = static_cast<int16_t>(head);
    s.facing[player] = static_cast<int8_t>(direction);
    int health = s.health[player] - 1;
    const int there = s.cell[head];
    if (there & FOOD) {
        health = FULL_HEALTH;
        ++s.length[player];
        ++s.stacked[player];
    } else if (s.hazards > 0 && s.hazard[head] > 0) {
        health = std::min(std::max(health - s.hazard[head] * s.hazard_damage, 0), FULL_HEALTH);
        if (health == 0) eliminate(s, player, HAZARD, NOBODY);
    }
    s.health[player] = static_cast<int8_t>(health);
    if (s.cause[player] == ALIVE && health <= 0) {
        eliminate(s, player, OUT_OF_HEALTH, NOBODY);
    } else if (there == WALL) {
        eliminate(s, player, WALL_COLLISION, NOBODY);
    }
    if (s.cause[player] != ALIVE) remove(s, player);
}

inline bool is_there(const State& s, int player) {
    return s.cause[player] == ALIVE || (s.cause[player] >= SELF_COLLISION && s.fell[player] == s.turn);
}

inline void collide(State& s, int player) {
    const int head = s.head[player];
    const int other = owner(s, head);
    if (other == player) {
        eliminate(s, player, SELF_COLLISION, player);
    } else if (other != NOBODY) {
        eliminate(s, player, BODY_COLLISION, other);
    } else {
        int winner = NOBODY, least = s.length[player];
        for (int one = 0; one < s.players; ++one) {
            if (s.head[one] == head && one != player && s.length[one] >= least && is_there(s, one)) {
                winner = one;
                least = s.length[one] + 1;
            }
        }
        if (winner != NOBODY) eliminate(s, player, HEAD_COLLISION, winner);
    }
}

void constrict(State& s) {
    if (s.food > 0) {
        for (int y = 0; y < s.height; ++y) {
            for (int x = 0; x < s.width; ++x) take_food(s, square(x, y));
        }
    }
    for (int player = 0; player < s.players; ++player) {
        s.health[player] = FULL_HEALTH;
        if (s.stacked[player] == 0) {
            s.stacked[player] = 1;
            ++s.length[player];
        }
    }
}

inline void apply_joint(State& s, const int* joint) {
    ++s.turn;
    for (int player = 0; player < s.players; ++player) {
        if (s.cause[player] == ALIVE) move(s, player, joint[player]);
    }
    for (int player = 0; player < s.players; ++player) {
        if (s.cause[player] == ALIVE) collide(s, player);
    }
    for (int player = 0; player < s.players; ++player) {
        if (s.cause[player] == ALIVE) {
            take_food(s, s.head[player]);
            s.cell[s.head[player]] = static_cast<int8_t>((player + 1) << 3);
        } else if (s.fell[player] == s.turn && s.cause[player] >= SELF_COLLISION) {
            take_food(s, s.head[player]);
            remove(s, player);
        }
    }
    if (s.constrictor) constrict(s);
    begin_spawning(s);
}

// ---- the end of the game

void reward(const State& s, double* rewards) {
    std::fill_n(rewards, s.players, 0.0);
    if (s.players == 1) {
        rewards[0] = std::min(1.0, static_cast<double>(s.length[0]) / (s.width * s.height));
        return;
    }
    int last = 0;
    for (int player = 0; player < s.players; ++player) {
        if (s.cause[player] != ALIVE) last = std::max(last, s.fell[player]);
    }
    const auto wins = [&](int player) {
        return s.cause[player] == ALIVE || (s.living == 0 && s.fell[player] == last);
    };
    int n = 0;
    for (int player = 0; player < s.players; ++player) n += wins(player);
    for (int player = 0; player < s.players; ++player) {
        if (wins(player)) rewards[player] = 1.0 / n;
    }
}

struct Count {
    int64_t turns, outcomes;
};

}  // namespace

// The size of a state, which must be that of Spinney's record.
extern "C" int64_t battlesnake_state_size() { return sizeof(State); }

// Play n games from a position. `s` is left as the last position of the last game, `rewards` are that game's.
extern "C" void battlesnake_playouts(const State& root, State& s, double* rewards, RngRecord& random, int64_t n,
                                     Count& count) {
    Rng rng(random);
    Count all{0, 0};
    for (int64_t i = 0; i < n; ++i) {
        std::memcpy(&s, &root, sizeof(State));
        while (s.phase != FINISHED) {
            if (s.phase == MOVE) {
                int joint[MAX_PLAYERS];
                for (int player = 0; player < s.players; ++player) {
                    if (s.cause[player] == ALIVE) joint[player] = trivial(s, player, rng);
                }
                apply_joint(s, joint);
                ++all.turns;
            } else {
                apply(s, chance(s, rng));
                ++all.outcomes;
            }
        }
        reward(s, rewards);
    }
    rng.store(random);
    count = all;
}
