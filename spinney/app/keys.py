"""Who may do what in a room: whoever holds a key."""

from __future__ import annotations

from dataclasses import dataclass, field

from spinney.errors import WrongPlayer


@dataclass(frozen=True)
class Access:
    """What the holder of a key may do."""

    players: tuple[int, ...] = ()
    """Whose choices they make."""
    host: bool = False
    """Whether they may take back, pause, and begin again."""


SPECTATOR = Access()


@dataclass(frozen=True)
class Keys:
    """The keys of a room. Whoever began the game is told the invitations of the players on devices of their own. So an
    invitation opens nothing: the first device that has it makes a key of its own, and then it is worthless."""

    host: str
    """The key of who began the game."""
    here: tuple[int, ...]
    """The players at that device."""
    invited: dict[int, str]
    """The invitations, by the players."""
    arrived: dict[int, str] = field(default_factory=dict)
    """The keys of invited players, who have come."""

    def access(self, key: str) -> Access:
        """What the holder of a key may do; others may look."""
        if key == self.host:
            return Access(self.here, host=True)
        return next((Access((player,)) for player, own in self.arrived.items() if own == key), SPECTATOR)

    def player(self, invitation: str) -> int | None:
        """Who is invited so; none: this is no invitation."""
        return next((player for player, it in self.invited.items() if it == invitation), None)

    def arrive(self, player: int, own: str) -> None:
        """An invited player is there, with this key from now on."""
        if self.arrived.setdefault(player, own) != own:
            raise WrongPlayer("this invitation was used on another device")

    @property
    def open(self) -> dict[int, str | None]:
        """The invitations of players who have not come; of others, nothing."""
        return {player: None if player in self.arrived else it for player, it in self.invited.items()}
