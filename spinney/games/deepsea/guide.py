"""How Deep Sea Adventure is played, for people."""

GUIDE = """\
Two to six divers leave a submarine along a path of 32 treasure chips, and all breathe from one tank with 25 units of
air. Chips further down have a higher level and are worth more: 0 to 3 points at level 1, and up to 15 at level 4. How
much, you see only at the end of the round.

At the start of your turn the air falls by one for each treasure that you carry. Then you choose to dive on or to turn
back. You may turn back only if you carry something or cannot go further down, and then you cannot dive again in this
round. You throw two dice with the faces 1 to 3 and move as many tiles as they show, less one for each treasure that you
carry. Tiles with other divers are skipped and not counted.

Where you stop, you may take the treasure of the tile, which leaves a blank, or put one of yours on a blank.

A round ends when all divers are back, or with the turn in which the air is used up. Divers who are back turn over their
chips and score them. Those who are not lose what they carry: it sinks to the end of the path, in stacks of up to three
chips, each of which counts as one treasure. Blanks are removed from the path, and the next round begins.

After three rounds the most points win; ties are broken by the number of chips of the highest level. The option ruleset
chooses between the rules of the paper on this game, those of the publisher (official), and those of the paper's program
(paper_code), which differ in details.
"""
