"""The handshake: who gets in, and who finds out nothing. Both sides are played by hand."""

from __future__ import annotations

import contextlib
import itertools

import pytest
from support.peers.links import CODE, TABLE, TestGate

from sobremesa.core.replica.charter import PROTOCOL
from sobremesa.net.identity import Identity
from sobremesa.net.links.frames import Frame
from sobremesa.net.links.handshake import Dialler, HandshakeFailed, Responder, new_code

ANA, BEA, EVE = Identity.fresh(), Identity.fresh(), Identity.fresh()
CERTIFICATE = bytes([1]) * 32
OTHER_CERTIFICATE = bytes([2]) * 32
NOT_HERE = "That table is not here"


def opener(
    code: str | None = CODE,
    *,
    certificate: bytes = CERTIFICATE,
    me: Identity = ANA,
    gate: TestGate | None = None,
) -> Responder:
    return Responder(me, certificate, gate or TestGate(code=code))


def guest(
    code: str | None = CODE,
    mode: str = "join",
    *,
    table: bytes | None = TABLE,
    certificate: bytes = CERTIFICATE,
    whom: bytes | None = None,
    me: Identity = BEA,
) -> Dialler:
    return Dialler(me, certificate, mode, table=table, code=code, whom=whom)


def shake(dialler: Dialler, responder: Responder) -> None:
    dialler.confirm(responder.confirm(dialler.auth(responder.welcome(dialler.hello))))


def changed(frame: Frame, **values: object) -> Frame:
    return Frame.make(frame.kind, **{**frame.values, **values})


def failure(dialler: Dialler, responder: Responder) -> str:
    with pytest.raises(HandshakeFailed) as caught:
        shake(dialler, responder)
    assert str(caught.value).endswith((".", ")"))
    return caught.value.code


def test_with_the_code_both_know_each_other() -> None:
    dialler, responder = guest(), opener()
    shake(dialler, responder)
    assert (dialler.key, dialler.table) == (ANA.key, TABLE)
    assert (responder.key, responder.mode, responder.knew_code) == (BEA.key, "join", True)


def test_an_open_table_asks_for_no_code() -> None:
    shake(guest(None), opener(None))


def test_a_guest_may_join_whatever_table_is_there() -> None:
    dialler = guest(table=None)
    shake(dialler, opener())
    assert dialler.table == TABLE


@pytest.mark.parametrize("digits", [6, 8])
def test_codes_are_so_many_digits_and_differ(digits: int) -> None:
    codes = {new_code(digits) for _ in range(50)}
    assert all(len(code) == digits and code.isdigit() for code in codes)
    assert len(codes) > 40


def test_a_wrong_code_is_found_by_the_responder_and_named() -> None:
    dialler, responder = guest("654321"), opener()
    auth = dialler.auth(responder.welcome(dialler.hello))
    with pytest.raises(HandshakeFailed, match="not the table's code") as caught:
        responder.confirm(auth)
    assert caught.value.code == "code"


def test_who_comes_without_a_code_is_told_to_give_one() -> None:
    assert failure(guest(None), opener()) == "code"


def test_a_code_for_an_open_table_is_not_silently_dropped() -> None:
    # A false table that pretends to be open would else get a guest who thinks the code proved it.
    assert failure(guest(), opener(None)) == "open"


def test_a_false_table_that_does_not_know_the_code_is_found() -> None:
    dialler, liar = guest(), opener("999999")
    welcome = liar.welcome(dialler.hello)
    dialler.auth(welcome)
    forged = Frame.make("auth", sig=ANA.sign(b"x"), mac=bytes(64))
    with pytest.raises(HandshakeFailed) as caught:
        dialler.confirm(forged)
    assert caught.value.code == "key"


def test_the_right_signature_without_the_code_is_not_enough() -> None:
    dialler, responder = guest(), opener()
    auth = responder.confirm(dialler.auth(responder.welcome(dialler.hello)))
    for mac in (None, bytes(64)):
        with pytest.raises(HandshakeFailed, match="does not know the code"):
            dialler.confirm(changed(auth, mac=mac))


def test_a_guest_that_leaves_its_mac_out_has_not_given_the_code() -> None:
    dialler, responder = guest(), opener()
    auth = dialler.auth(responder.welcome(dialler.hello))
    with pytest.raises(HandshakeFailed) as caught:
        responder.confirm(changed(auth, mac=None))
    assert caught.value.code == "code"


def test_a_relay_in_the_middle_is_refused_by_both() -> None:
    # It passes every byte on, but each side sees the relay's own certificate or the other's.
    dialler, responder = guest(certificate=OTHER_CERTIFICATE), opener()
    auth = dialler.auth(responder.welcome(dialler.hello))
    with pytest.raises(HandshakeFailed) as caught:
        responder.confirm(auth)
    assert caught.value.code == "key"
    honest = guest()
    answer = responder_answer(honest)
    honest._link = bytes(64)
    with pytest.raises(HandshakeFailed) as caught:
        honest.confirm(answer)
    assert caught.value.code == "key"


def responder_answer(dialler: Dialler) -> Frame:
    responder = opener()
    return responder.confirm(dialler.auth(responder.welcome(dialler.hello)))


def test_a_recorded_auth_proves_nothing_later() -> None:
    dialler, first = guest(), opener()
    recorded = dialler.auth(first.welcome(dialler.hello))
    first.confirm(recorded)
    second = opener()
    second.welcome(dialler.hello)
    with pytest.raises(HandshakeFailed) as caught:
        second.confirm(recorded)
    assert caught.value.code == "key"


def test_the_responders_own_auth_sent_back_proves_nothing() -> None:
    dialler, responder = guest(None), opener(None)
    auth = dialler.auth(responder.welcome(dialler.hello))
    with pytest.raises(HandshakeFailed):
        dialler.confirm(auth)


def test_a_key_that_is_not_ones_own_is_not_believed() -> None:
    dialler, responder = guest(None, me=EVE), opener(None)
    stolen = changed(dialler.hello, pub=BEA.key)
    auth = dialler.auth(responder.welcome(stolen))
    with pytest.raises(HandshakeFailed) as caught:
        responder.confirm(auth)
    assert caught.value.code == "key"


@pytest.mark.parametrize("name", ["mode", "table", "nonce"])
def test_nothing_of_hello_can_be_changed_on_the_way(name: str) -> None:
    other = {"mode": "join", "table": None, "nonce": bytes(32)}[name]
    dialler, responder = peer() if name == "mode" else guest(None), opener(None)
    auth = dialler.auth(responder.welcome(changed(dialler.hello, **{name: other})))
    with pytest.raises(HandshakeFailed) as caught:
        responder.confirm(auth)
    assert caught.value.code == "key"


def peer(
    *, whom: Identity = ANA, me: Identity = BEA, table: bytes = TABLE, code: str | None = None
) -> Dialler:
    return guest(code, "peer", whom=whom.key, me=me, table=table)


def playing(me: Identity = ANA) -> Responder:
    """Somebody who plays with Bea and can be joined by others."""
    return opener(me=me, gate=TestGate(peers=frozenset({BEA.key})))


def test_peers_of_the_charter_need_no_code() -> None:
    dialler, responder = peer(), playing()
    shake(dialler, responder)
    assert (dialler.key, dialler.table) == (ANA.key, TABLE)
    assert (responder.key, responder.mode, responder.table) == (BEA.key, "peer", TABLE)


def refusal(dialler: Dialler, responder: Responder) -> tuple[Frame, str]:
    """What a stranger hears who says it is a peer: the welcome, and why it may not come in."""
    welcome = responder.welcome(dialler.hello)
    with pytest.raises(HandshakeFailed) as caught:
        responder.confirm(dialler.auth(welcome))
    return changed(welcome, nonce=bytes(32)), f"{caught.value.code}: {caught.value}"


def test_a_stranger_hears_the_same_whatever_table_or_key_it_names() -> None:
    nobody = opener(gate=TestGate(table=None))
    stolen = peer(me=EVE)
    stolen.hello = changed(stolen.hello, pub=BEA.key)
    lonely = peer()
    lonely.hello = changed(lonely.hello, table=None)
    known = playing()
    told = [
        refusal(peer(me=EVE), playing()),  # the right table, and a key that does not sit there
        refusal(stolen, playing()),  # a key that sits there, and is not its own
        refusal(peer(me=EVE, table=bytes(16)), playing()),
        refusal(peer(me=EVE), nobody),
        refusal(peer(table=bytes(16)), playing()),  # even to who sits at this table
        refusal(peer(whom=EVE), playing()),  # or means somebody else
        refusal(peer(me=ANA, whom=EVE), playing()),
        refusal(lonely, playing()),
        refusal(peer(me=EVE), known),
    ]
    assert len(set(map(repr, told))) == 1
    welcome, text = told[0]
    assert (welcome["table"], welcome["pub"], welcome["pake"]) == (None, None, None)
    assert text.startswith(f"table: {NOT_HERE}")


def test_who_signs_as_a_peer_is_asked_about_only_then(monkeypatch: pytest.MonkeyPatch) -> None:
    # A table that is looked up first would answer in other times.
    checks = itertools.count()
    monkeypatch.setattr(TestGate, "sits", lambda *_: next(checks) < 0)
    dialler, responder = peer(), playing()
    auth = dialler.auth(responder.welcome(dialler.hello))
    with pytest.raises(HandshakeFailed, match=NOT_HERE):
        responder.confirm(changed(auth, sig=bytes(64)))
    assert next(checks) == 0


def test_a_guest_is_told_nothing_of_the_key_that_it_names() -> None:
    gate = TestGate()
    opener(gate=gate).welcome(guest().hello)
    assert gate.asked == [None]
    told = set()
    for me in (BEA, EVE, ANA):
        with pytest.raises(HandshakeFailed) as caught:
            opener(gate=TestGate(table=None, peers=frozenset({BEA.key}))).welcome(
                guest(me=me).hello
            )
        told.add(str(caught.value))
    assert len(told) == 1


def test_a_peer_that_is_not_the_one_we_mean_is_not_linked_with() -> None:
    dialler, liar = peer(whom=EVE), playing()
    liar.welcome(dialler.hello)
    dialler.auth(liar.welcome(dialler.hello))
    with pytest.raises(HandshakeFailed) as caught:
        dialler.confirm(Frame.make("auth", sig=ANA.sign(b"x"), mac=None))
    assert caught.value.code == "key"


def test_only_who_had_a_right_mac_knew_the_code() -> None:
    for dialler, known in ((guest(), True), (guest("654321"), False), (peer(), False)):
        gate = TestGate(refusal=None, peers=frozenset({BEA.key}))
        responder = opener(gate=gate)
        auth = dialler.auth(responder.welcome(dialler.hello))
        gate.refusal = "Table full (4/4)."
        with contextlib.suppress(HandshakeFailed):
            responder.confirm(auth)
        assert responder.knew_code is known


def test_both_versions_are_named_whoever_is_older() -> None:
    dialler, responder = guest(), opener()
    with pytest.raises(HandshakeFailed, match=f"yours 9, table {PROTOCOL}") as caught:
        responder.welcome(changed(dialler.hello, v=9))
    assert caught.value.code == "version"
    with pytest.raises(HandshakeFailed, match=f"yours {PROTOCOL}, table 9"):
        dialler.auth(changed(responder.welcome(dialler.hello), v=9))


def test_another_table_is_refused_by_both() -> None:
    other = bytes(16)
    assert failure(guest(table=other), opener()) == "table"
    assert failure(guest(), opener(gate=TestGate(table=None))) == "table"
    with pytest.raises(HandshakeFailed, match="Another table"):
        guest().auth(changed(opener().welcome(guest(table=None).hello), table=other))


def test_one_does_not_join_oneself() -> None:
    assert failure(guest(me=ANA), opener()) == "self"


def test_the_tables_refusal_is_what_the_guest_reads() -> None:
    assert failure(guest(), opener(gate=TestGate(refusal="Table full (4/4)."))) == "refused"


def test_the_last_chair_can_be_taken_during_the_handshake() -> None:
    gate = TestGate()
    dialler, responder = guest(), opener(gate=gate)
    auth = dialler.auth(responder.welcome(dialler.hello))
    gate.refusal = "Table full (4/4)."
    with pytest.raises(HandshakeFailed, match="Table full"):
        responder.confirm(auth)


def test_a_goodbye_is_the_error_that_it_tells() -> None:
    bye = Frame.bye("refused", "Table full \x1b[2J(4/4).")
    with pytest.raises(HandshakeFailed, match=r"^Table full \(4/4\)\.$") as caught:
        guest().auth(bye)
    assert caught.value.code == "refused"


@pytest.mark.parametrize(
    "pake",
    [
        bytes(33),
        b"A" + bytes(32),
        b"B" + b"\xff" * 32,
        b"B\x01" + bytes(31),
        b"A\x01" + bytes(31),
        b"A\x02" + bytes(31),
        b"S" + bytes(32),
    ],
    ids=["zeros", "zero", "no point", "neutral B", "neutral A", "off the curve", "symmetric"],
)
def test_bytes_that_are_no_spake2_message_are_refused(pake: bytes) -> None:
    with pytest.raises(HandshakeFailed) as caught:
        opener().welcome(changed(guest().hello, pake=pake))
    assert caught.value.code == "bad"
    dialler = guest()
    with pytest.raises(HandshakeFailed) as caught:
        dialler.auth(changed(opener().welcome(dialler.hello), pake=pake))
    assert caught.value.code == "bad"


def test_frames_out_of_order_are_refused() -> None:
    for step in (guest().auth, guest().confirm, opener().welcome, opener().confirm):
        with pytest.raises(HandshakeFailed) as caught:
            step(Frame.make("ready", ready=True, terms=bytes(32)))
        assert caught.value.code == "bad"


def test_nothing_shows_the_code() -> None:
    dialler, responder = guest("654321"), opener()
    auth = dialler.auth(responder.welcome(dialler.hello))
    with pytest.raises(HandshakeFailed) as caught:
        responder.confirm(auth)
    shown = f"{caught.value} {dialler.hello!r} {auth!r} {dialler!r} {responder!r}"
    assert "654321" not in shown
    assert CODE not in shown
