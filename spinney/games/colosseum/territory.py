"""Territory: the cells that a player reaches before the other, and the passages between them.

Two flood fills spread from the players, step by step, until every cell of their region is reached by one of them. A
passage is an open side between two cells of one territory, where a wall can be put. Every move needs a wall, so a
player without harmless passages left has to wall itself in.
"""

from spinney.games.colosseum.space import bit_in, count_cells, spread
from spinney.games.colosseum.state import BELOW, BESIDE
from spinney.kernel import rule
from spinney.kernel.bits import count


@rule
def race(s, work, first, second):
    """Flood the board from two cells. Return the first territory's lead in cells, its lead in passages, and the number
    of all cells that are reached."""
    if s.words == 1:
        return race_one(s, first, second)
    if s.words == 2:
        return race_two(s, first, second)
    if s.words == 3:
        return race_three(s, first, second)
    return race_many(s, work, first, second)


@rule(inline=True)
def count_passages(cells, under, beside, below):
    """The number of passages between the cells of a word, and from these to the cells `under` them."""
    return count(cells & beside & (cells >> 1)) + count(cells & below & under)


# The same race for one, two, three and more words: on boards up to 12x12, the sets stay in registers.


@rule(inline=True)
def race_one(s, first, second):
    size, full, beside, below = s.size, s.full, s.open[BESIDE], s.open[BELOW]
    mine, theirs = 1 << first, 1 << second
    held, lost = mine, theirs
    growing = True
    while growing:
        more, others = spread(mine, beside, below, size) & full, spread(theirs, beside, below, size) & full
        held |= more & ~mine & ~others
        lost |= others & ~theirs & ~more
        growing = (more | others) != (mine | theirs)
        mine, theirs = more, others
    lead, cells = count(held) - count(lost), count(mine | theirs)
    ahead = count_passages(held, held >> size, beside, below) - count_passages(lost, lost >> size, beside, below)
    return lead, ahead, cells


@rule(inline=True)
def race_two(s, first, second):
    size, lift, full = s.size, s.lift, s.full
    beside_0, beside_1 = s.open[BESIDE], s.open[BESIDE + 1]
    below_0, below_1 = s.open[BELOW], s.open[BELOW + 1]
    mine_0, mine_1 = bit_in(s, first, 0), bit_in(s, first, 1)
    theirs_0, theirs_1 = bit_in(s, second, 0), bit_in(s, second, 1)
    held_0, held_1, lost_0, lost_1 = mine_0, mine_1, theirs_0, theirs_1
    growing = True
    while growing:
        more_0 = (spread(mine_0, beside_0, below_0, size) | (mine_1 << lift) & below_0) & full
        more_1 = (spread(mine_1, beside_1, below_1, size) | (mine_0 & below_0) >> lift) & full
        others_0 = (spread(theirs_0, beside_0, below_0, size) | (theirs_1 << lift) & below_0) & full
        others_1 = (spread(theirs_1, beside_1, below_1, size) | (theirs_0 & below_0) >> lift) & full
        held_0 |= more_0 & ~mine_0 & ~others_0
        held_1 |= more_1 & ~mine_1 & ~others_1
        lost_0 |= others_0 & ~theirs_0 & ~more_0
        lost_1 |= others_1 & ~theirs_1 & ~more_1
        growing = ((more_0 | others_0) ^ (mine_0 | theirs_0)) | ((more_1 | others_1) ^ (mine_1 | theirs_1)) != 0
        mine_0, mine_1, theirs_0, theirs_1 = more_0, more_1, others_0, others_1
    lead = count(held_0) + count(held_1) - count(lost_0) - count(lost_1)
    cells = count(mine_0 | theirs_0) + count(mine_1 | theirs_1)
    ahead = count_passages(held_0, held_0 >> size | (held_1 << lift) & full, beside_0, below_0)
    ahead += count_passages(held_1, held_1 >> size, beside_1, below_1)
    ahead -= count_passages(lost_0, lost_0 >> size | (lost_1 << lift) & full, beside_0, below_0)
    ahead -= count_passages(lost_1, lost_1 >> size, beside_1, below_1)
    return lead, ahead, cells


@rule(inline=True)
def race_three(s, first, second):
    size, lift, full = s.size, s.lift, s.full
    beside_0, beside_1, beside_2 = s.open[BESIDE], s.open[BESIDE + 1], s.open[BESIDE + 2]
    below_0, below_1, below_2 = s.open[BELOW], s.open[BELOW + 1], s.open[BELOW + 2]
    mine_0, mine_1, mine_2 = bit_in(s, first, 0), bit_in(s, first, 1), bit_in(s, first, 2)
    theirs_0, theirs_1, theirs_2 = bit_in(s, second, 0), bit_in(s, second, 1), bit_in(s, second, 2)
    held_0, held_1, held_2, lost_0, lost_1, lost_2 = mine_0, mine_1, mine_2, theirs_0, theirs_1, theirs_2
    growing = True
    while growing:
        more_0 = (spread(mine_0, beside_0, below_0, size) | (mine_1 << lift) & below_0) & full
        more_1 = spread(mine_1, beside_1, below_1, size) | (mine_0 & below_0) >> lift | (mine_2 << lift) & below_1
        more_1 &= full
        more_2 = (spread(mine_2, beside_2, below_2, size) | (mine_1 & below_1) >> lift) & full
        others_0 = (spread(theirs_0, beside_0, below_0, size) | (theirs_1 << lift) & below_0) & full
        others_1 = spread(theirs_1, beside_1, below_1, size) | (theirs_0 & below_0) >> lift
        others_1 = (others_1 | (theirs_2 << lift) & below_1) & full
        others_2 = (spread(theirs_2, beside_2, below_2, size) | (theirs_1 & below_1) >> lift) & full
        held_0 |= more_0 & ~mine_0 & ~others_0
        held_1 |= more_1 & ~mine_1 & ~others_1
        held_2 |= more_2 & ~mine_2 & ~others_2
        lost_0 |= others_0 & ~theirs_0 & ~more_0
        lost_1 |= others_1 & ~theirs_1 & ~more_1
        lost_2 |= others_2 & ~theirs_2 & ~more_2
        grown = ((more_0 | others_0) ^ (mine_0 | theirs_0)) | ((more_1 | others_1) ^ (mine_1 | theirs_1))
        growing = grown | ((more_2 | others_2) ^ (mine_2 | theirs_2)) != 0
        mine_0, mine_1, mine_2 = more_0, more_1, more_2
        theirs_0, theirs_1, theirs_2 = others_0, others_1, others_2
    lead = count(held_0) + count(held_1) + count(held_2) - count(lost_0) - count(lost_1) - count(lost_2)
    cells = count(mine_0 | theirs_0) + count(mine_1 | theirs_1) + count(mine_2 | theirs_2)
    ahead = count_passages(held_0, held_0 >> size | (held_1 << lift) & full, beside_0, below_0)
    ahead += count_passages(held_1, held_1 >> size | (held_2 << lift) & full, beside_1, below_1)
    ahead += count_passages(held_2, held_2 >> size, beside_2, below_2)
    ahead -= count_passages(lost_0, lost_0 >> size | (lost_1 << lift) & full, beside_0, below_0)
    ahead -= count_passages(lost_1, lost_1 >> size | (lost_2 << lift) & full, beside_1, below_1)
    ahead -= count_passages(lost_2, lost_2 >> size, beside_2, below_2)
    return lead, ahead, cells


@rule
def race_many(s, work, first, second):
    size, lift, full = s.size, s.lift, s.full
    for word in range(s.words):
        work.mine[word] = work.held[word] = bit_in(s, first, word)
        work.theirs[word] = work.lost[word] = bit_in(s, second, word)
    growing = 1
    while growing != 0:
        growing = 0
        down, other_down = 0, 0
        mine, theirs = work.mine[0], work.theirs[0]
        for word in range(s.words):
            beside, below = s.open[BESIDE + word], s.open[BELOW + word]
            following, other_following = work.mine[word + 1], work.theirs[word + 1]
            more = (spread(mine, beside, below, size) | down | (following << lift) & below) & full
            others = (spread(theirs, beside, below, size) | other_down | (other_following << lift) & below) & full
            work.held[word] |= more & ~mine & ~others
            work.lost[word] |= others & ~theirs & ~more
            growing |= (more | others) ^ (mine | theirs)
            down, other_down = (mine & below) >> lift, (theirs & below) >> lift
            work.mine[word], work.theirs[word] = more, others
            mine, theirs = following, other_following
    cells, ahead = 0, 0
    for word in range(s.words):
        beside, below = s.open[BESIDE + word], s.open[BELOW + word]
        cells += count(work.mine[word] | work.theirs[word])
        held, lost = work.held[word], work.lost[word]
        ahead += count_passages(held, held >> size | (work.held[word + 1] << lift) & full, beside, below)
        ahead -= count_passages(lost, lost >> size | (work.lost[word + 1] << lift) & full, beside, below)
    return count_cells(s, work.held) - count_cells(s, work.lost), ahead, cells
