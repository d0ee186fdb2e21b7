"""What typed lines do at a table, whichever client they are typed in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from support.clients.sessions import ScriptedSession, intrigue_table, kitchen_table, waiting_room

from sobremesa.cli.session.moments import Asked, Moment, Room, RoomChanged, RoomSeat, Started, Told
from sobremesa.cli.words import grammar
from sobremesa.cli.words.controller import Controller, meant_seat
from sobremesa.cli.words.grammar import NotUnderstood, Place
from sobremesa.cli.words.story import Story
from sobremesa.core.errors import IllegalAnswer, LocalError
from sobremesa.core.questions import Answer
from sobremesa.core.views import View
from sobremesa.plugins.dudo import GAME as DUDO
from sobremesa.plugins.dudo.questions import Turn


class Asking:
    """A client that says `says` to whatever it asks."""

    def __init__(self, *, says: bool = True) -> None:
        self.says = says
        self.asked: list[str] = []
        self.helped: list[str] = []
        self.chosen: list[str] = []
        self.told: list[str] = []
        self.left = self.stepped_out = False

    def ask(self, question: str, act: Callable[[], None]) -> None:
        self.asked.append(question)
        if self.says:
            act()

    def help(self, page: str = "") -> None:
        self.helped.append(page)

    def choose(self, typed: str) -> None:
        self.chosen.append(typed)

    def tell(self, text: str) -> None:
        self.told.append(text)

    def leave_table(self) -> None:
        self.left = True

    def step_out(self) -> None:
        self.stepped_out = True


def at(*moments: Moment, client: Asking | None = None) -> tuple[Controller, ScriptedSession]:
    """A controller after these moments."""
    session = ScriptedSession()
    story = Story(session)
    for moment in moments:
        story.take(moment)
    control = Controller(story, client or Asking())
    session.question = control.question
    return control, session


def typed(control: Controller, line: str) -> None:
    control.do(control.read(line, grammar.words(*control.words())))


@pytest.mark.parametrize(
    ("line", "deed"),
    [
        ("ready", ("ready",)),
        ("/unready", ("unready",)),
        ("start", ("start",)),
        ("bot", ("bot",)),
        ("remove bento", ("remove", "Bento", "")),
        ("newcode", ("newcode",)),
        ("'hello  there", ("say", "hello there")),
        ("say hello  there", ("say", "hello there")),
    ],
)
def test_each_word_carries_its_deed(line: str, deed: tuple[str, ...]) -> None:
    control, session = at(waiting_room(opener=True))
    typed(control, line)
    assert session.done == [deed]


@pytest.mark.parametrize(("line", "page"), [("?", ""), ("help Rules", "Rules"), ("moves", "moves"),
                                            ("/proof", "proof"), ("keys", "keys")])  # fmt: skip
def test_pages_are_shown_by_the_client(line: str, page: str) -> None:
    client = Asking()
    typed(at(waiting_room(), client=client)[0], line)
    assert client.helped == [page]


def test_nothing_is_not_said() -> None:
    control, session = at(waiting_room())
    for line in ("say", "'"):
        with pytest.raises(NotUnderstood, match="Nothing to say"):
            typed(control, line)
    assert session.done == []


def test_an_answer_is_given_once_and_what_the_rules_refuse_stays_asked() -> None:
    control, session = at(*kitchen_table().moments)
    with pytest.raises(IllegalAnswer):
        typed(control, "4x2")
    assert control.question is not None
    typed(control, "5 threes")
    assert session.done == [("answer", "5x3")]
    assert control.question is None
    with pytest.raises(LocalError, match="nothing to answer"):
        control.play(Answer("bid", (5, 4)))


def test_a_yes_to_what_is_not_asked_any_more_plays_nothing() -> None:
    """Time ran out while the player thought about it; by now cards may lie in other places."""

    class Thinking(Asking):
        def ask(self, question: str, act: Callable[[], None]) -> None:
            self.say_yes = act

    table, client = kitchen_table(), Thinking()
    control, session = at(*table.moments, client=client)
    assert isinstance(control.question, Turn)
    sure = replace(control.question.move("dudo"), confirm="Sure?")
    session.question = control.story.asked.question  # type: ignore[union-attr]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Turn, "move", lambda question, name: sure)
        typed(control, "dudo")
    asked = table.moments[-1]
    assert isinstance(asked, Asked)
    control.story.take(replace(asked, question=replace(asked.question)))  # type: ignore[type-var]
    with pytest.raises(LocalError, match="not asked any more"):
        client.say_yes()
    assert session.done == []


@pytest.mark.parametrize("says", [True, False])
def test_leaving_is_done_only_when_it_is_meant(says: bool) -> None:
    client = Asking(says=says)
    typed(at(*kitchen_table().moments, client=client)[0], "leave")
    assert client.left is says
    assert len(client.asked) == 1


@pytest.mark.parametrize(
    ("moments", "means"),
    [
        (waiting_room(), "Leave the table?"),
        (waiting_room(opener=True), "Close the table? Everybody who waits here is sent away."),
    ],
)
def test_what_leaving_means_is_said(moments: Moment, means: str) -> None:
    client = Asking()
    at(moments, client=client)[0].leave()
    assert client.asked == [means]


OTHERS = "Leave? The others go on without you, and you cannot take your seat again."


@pytest.mark.parametrize(
    ("names", "opener", "bots", "means"),
    [
        (("Ana", "Bea", "Cai"), False, (), OTHERS),
        (("Ana", "Cai"), False, ("Dora",), OTHERS),  # hers stays with Ana
        (
            ("Ana", "Cai"),
            True,
            ("Dora",),  # ours goes with us
            "Leave? Only Ana is left then: the game ends at once, by its rules.",
        ),
        (
            ("Ana", "Cai"),
            False,
            (),
            "Leave? Only Ana is left then: the game ends at once, by its rules.",
        ),
        (("Cai",), True, ("Dora",), "Leave? The game ends here."),
    ],
)
def test_leaving_a_game_means_what_its_rules_make_of_it(
    names: tuple[str, ...], opener: bool, bots: tuple[str, ...], means: str
) -> None:
    people = tuple(RoomSeat(name, you=name == "Cai") for name in names)
    seats = people + tuple(RoomSeat(bot, bot=True) for bot in bots)
    room = replace(waiting_room(opener=opener).room, seats=seats)
    client = Asking()
    at(RoomChanged(room), Started(DUDO, (*names, *bots), "Cai"), client=client)[0].leave()
    assert client.asked == [means]


def test_enter_ends_a_rest_and_nothing_else() -> None:
    table = intrigue_table().moments
    control, session = at(*table)
    typed(control, "")
    assert session.done == []
    control.story.take(Told({"kind": "shown"}, "All is open.", View("", ()), 4.0))
    typed(control, "")
    assert session.done == [("go_on",)]


CHAIRS = tuple(map(RoomSeat, ("Ana", "Bea", "Bea 2", "4", "Жанна", "", "Cai")))


@pytest.mark.parametrize(
    ("line", "name", "why"),
    [
        ("bea", "Bea", ""),
        ("Bea we wait for Eva", "Bea", "we wait for Eva"),
        ("BEA: Too slow", "Bea", "Too slow"),
        ("bea  2 too slow", "Bea 2", "too slow"),
        ("bea 3", "Bea", "3"),
        ("4", "4", ""),
        ("5 who are you?", "Жанна", "who are you?"),
        ("жанна", "Жанна", ""),
    ],
)
def test_a_chair_is_meant_by_name_or_number_and_the_rest_is_the_reason(
    line: str, name: str, why: str
) -> None:
    seat, reason = meant_seat(line, (replace(CHAIRS[0], you=True), *CHAIRS[1:]))
    assert (seat.name, reason) == (name, why)


@pytest.mark.parametrize("line", ["be", "ana", "1", "6", "8", "dan"])
def test_who_is_not_there_is_not_meant_and_those_who_are_are_said(line: str) -> None:
    why = f"nobody else is called '{line}' here: .*: 2 Bea, 3 Bea 2, 4 4, 5 Жанна, 7 Cai"
    with pytest.raises(LocalError, match=why):
        meant_seat(line, (replace(CHAIRS[0], you=True), *CHAIRS[1:]))


def test_to_remove_nobody_in_particular_says_who_is_there() -> None:
    control, session = at(waiting_room("Ana", opener=True))
    with pytest.raises(LocalError, match=r"remove whom.*: 2 Bento, 3 Cai"):
        typed(control, "remove")
    alone = RoomChanged(Room("Kitchen", "Dudo", "", (RoomSeat("Ana", you=True),), True))
    with pytest.raises(LocalError, match="nobody here but you"):
        typed(at(alone)[0], "remove Bea")
    assert session.done == []


def test_a_guest_is_removed_only_if_that_is_meant() -> None:
    for says, deeds in ((False, []), (True, [("remove", "Cai", "no time")])):
        client = Asking(says=says)
        control, session = at(waiting_room("Ana", opener=True), client=client)
        typed(control, "remove cai no time")
        assert client.asked == ["Remove Cai? That machine cannot come back to this table."]
        assert session.done == deeds


def test_a_guest_that_types_remove_is_told_by_the_table() -> None:
    control, session = at(waiting_room())
    session.refuses["remove"] = LocalError("only the one who opened the table can remove somebody")
    with pytest.raises(LocalError, match="only the one who opened"):
        typed(control, "remove Ana")


def test_who_is_slow_is_so_from_now_on_and_asks_the_table_only_before_the_game() -> None:
    client = Asking()
    control, session = at(waiting_room(), client=client)
    control.set("slow ON")
    control.slow("off")
    assert client.chosen == ["slow ON", "slow off"]
    assert session.done == [("slow",), ("not slow",)]
    control, session = at(*kitchen_table().moments, client=client)
    control.set("slow on")
    assert (client.chosen[2:], session.done) == (["slow on"], [])


@pytest.mark.parametrize(
    ("place", "names"),
    [
        ("room", {"ready", "unready", "help", "say", "keys", "proof", "set", "slow", "leave"}),
        (
            "opener",
            {"ready", "unready", "start", "bot", "remove", "newcode", "seats", "set"}
            | {"help", "say", "keys", "proof", "slow", "leave"},
        ),
        (
            "table",
            {"moves", "help", "sort", "say", "without", "wait", "keys", "proof", "set", "quit"}
            | {"cancel", "coach", "leave"},
        ),
        ("result", {"help", "keys", "proof", "set", "leave"}),
    ],
)
def test_words_are_offered_where_they_do_something(place: Place, names: set[str]) -> None:
    words = at(waiting_room())[0].words()
    assert {word.name for word in words if place in word.places} == names


def test_the_opener_changes_the_table_and_everybody_their_own_settings() -> None:
    client = Asking()
    room = waiting_room("Ana", opener=True).room
    terms = (("seats", "4"), ("dice", "5"), ("patience", "60"))
    control, session = at(RoomChanged(replace(room, terms=terms)), client=client)
    for line in ("seats 5", "set DICE 3", "set patience 30", "set bell off"):
        typed(control, line)
    assert session.done == [("change", f"{it}") for it in ("seats 5", "dice 3", "patience 30")]
    assert client.chosen == ["bell off"]
    with pytest.raises(LocalError, match=r"set dice to what\? It is now: seats 4, dice 5"):
        typed(control, "set dice")


def test_what_the_opener_changed_is_told_once_and_to_whom_it_matters() -> None:
    room = waiting_room("Cai", Cai=True, Ana=True).room
    story = Story(ScriptedSession())
    story.take(RoomChanged(room))
    seats = tuple(replace(seat, ready=seat.bot) for seat in room.seats)
    changed = replace(room, options="dice 3, palifico on", seats=(*seats, seats[-1]))
    said = [(line.role, line.text) for line in story.take(RoomChanged(changed))]
    news = "Ana changed the table: 5 seats, dice 3. Nobody is ready any more."
    assert said == [("warn", news)]
