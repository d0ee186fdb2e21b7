"""The help pages of every built-in game: that they say what has to be said, and can be read
anywhere: terminals, screen readers."""

from __future__ import annotations

import pytest

from sobremesa.plugins.loader import load_games

GAMES = load_games([]).games

SAID = {
    "cinco-vidas": {
        "rules": [
            "last with lives wins|two to eight|five lives|52 cards|king is the highest",
            "ace the lowest|no trump|five cards, in the next four|starts again with five",
            "dealer's left|dealer bids last|may not come to the number|somebody misses",
            "whoever bid first leads|follow suit|highest card takes|played later wins",
            "takes the trick leads|one life|bid 3 and won 1|bid 1 and won 3",
            "card of everybody else, and not your own|win the trick or lose",
            "nobody has said win, the last can only say lose|can only say win|is free",
            "one_card_last=literal|tells you why|nothing to play|wipeout=replay|how far",
            "few seconds|begins by itself|nobody has to confirm|time runs out|leaves the table",
            "`bid 2`|`win`|`lose`|`play kh`|`10d`|`#1`",
        ],
        "tips": [
            "bidding zero is still a bid|nothing is safer than to bid 0|how many",
            "sevens, eights and nines|two kings are worth a bid of 2|noise",
            "position changes everything|speaks last|add up the bids|before you look",
            "bid early, bid low|player to stop|whoever plays later|last seat",
            "losing tricks on purpose|half of the game|every king in your hand is a danger",
            "every card but yours|not the last to decide|nearly always right",
        ],
        "faq": [
            "more tricks than i bid|one life|two lives|same two|just what you bid",
            "all players could be right|sure to miss|all cards but your own|settles itself",
            "trump|follow suit|king at the top|ace at the bottom|the later one",
            "sobremesa play cinco-vidas|sign up for and nobody to wait for|at once",
        ],
    },
    "dudo": {
        "rules": [
            "two to eight|five dice|three in the quick game|cup|covered",
            "four threes|wild|may not be on ones|rounding up|twice as many and one more",
            "four fives or five twos|four twos|dudo|bidder loses|nobody ever has more",
            "lost a die opens|next player with dice|the caller opens|clockwise",
            "palifico|ones too|one palifico in a game|two players left|palifico=off",
            "last player who still has one|4x3|four threes|`dudo`|`exact`|time runs out",
        ],
        "tips": [
            "20 dice|about five|usual number|one hidden die in six|bolder|expect in all",
            "bid on what they have|before you doubt|change of face|next one in turn",
            "well above|next player|rare|one die bolder|a die or two|single die either way",
        ],
        "faq": [
            "each one counts as a four|three ones|double the number and add one",
            "no more and no fewer|falling to one die|once in a game|ten minutes|half that time",
            "sobremesa play dudo|sign up|nobody to wait for",
        ],
    },
    "five-alive": {
        "rules": [
            "21 or below|last player with an alive card wins|two to six|five alive cards",
            "109 cards|six sets of alive cards, 30 in all|in order",
            "77 cards|eight each of 0, 1, 2, 3 and 4|four 5s, two 6s and one 7|gets ten",
            "chance picks who starts|clockwise to the next player|added to the total",
            "21 itself is safe|after every card|wild card may always be played",
            "keep your cards|total goes back to 0|any card|may not flip while you hold",
            "last card ends the hand|effect is not carried out|every other player flips",
            "draw one or two cards|between two players it counts as pass me by",
            "between two players you play again|when it is 21 already|total is 10",
            "shuffled together and dealt again|beginning at your left|draw pile and the",
            "discard a 0 at once|only the number 0 counts|leave somebody without cards",
            "discards but the top one are shuffled|fifth flip you are out|share a place",
            "sudden_death=on|lower sum wins|wild cards count nothing|win together",
            "teams=on|alternate seats|one set of five|hits the teammates|only one",
            "three play against two|first team at its end loses|no sudden death between",
            "hands are opened|is named|time runs out|leaves the table|few seconds|`play 5`",
        ],
        "tips": [
            "largest numbers|keep your zeros|insurance|one or two cards|push them away",
            "own side",
        ],
        "faq": [
            "22 is not|keep your whole hand|not only when the total is 21|only the number 0",
            "all hands, and nothing else|another turn|nobody can steer it",
            "sobremesa play five-alive|sign up for and nobody to wait for|at once",
        ],
    },
    "house-of-jokers": {
        "rules": [
            "three to five players|52 cards|2 or 3 jokers|four sevens lie in the middle",
            "dealt evenly|hidden hand|4 at an easy table, 3 at a normal one, 2 at a hard",
            "opened together|most cards left in hand begins|clockwise",
            "all 52 cards are placed|from ace to king|penalty and has no face-up",
            "if you can move you must|the six and the eight|nobody else does",
            "closes its side|extra turn at once|face up for face up, face down for face",
            "another open end|you do not spend it|a closed side|suit is complete, its seven",
            "out of the game for good|`joker_rounds=2`|turn one of your face-up action",
            "all your action cards lie face down already|the joker wins|passed by",
            "beside a card with a joker on it|the first cards of the game get the jokers",
            "leaves the table ends the game for all|gives up|`give up`|`play #2`",
            "the mercy rule: if you need a penalty and all",
        ],
        "tips": [
            "fewer action cards there are, the more each choice counts|nine games in ten",
            "nearest to a seven|a way to pass|blocks a card that nobody shows|together",
        ],
        "faq": [
            "must i play a card|that joker has moved|beside a seven|own suit's seven",
            "after you have refilled|during your own turn|have we lost|somebody left",
        ],
    },
    "intriga": {
        "rules": [
            "two to six players|15 character cards|three each|2 coins|gets only 1 coin",
            "face down|the deck|which card to turn up|both cards up you are out",
            "take 1 coin|take 2 coins|as banker|pay 7 coins|nobody can block or challenge",
            "take 3 coins|pay 3 coins|as lady|from a player|two cards of the deck",
            "10 coins or more|you need not hold|bluff|cannot pass|the only one they have",
            "liar!|let it pass|everybody lets it pass|the card is shown|draws another card",
            "challenger loses|action or block fails|paid back|a block is a claim too",
            "what an assassination cost stays paid|you lose two influences|late_block=on",
            "wins at once|the later, the better|`window`|`keep banker lady`|`lose #2`",
        ],
        "tips": [
            "hurts nobody much|with two coins|nothing left to lose|two turns ago|at its top",
            "third lady|at risk|comes close to a coup|face up|in your own hand",
            "let them take the risk|block as lady, held or not|seven coins|with ten",
            "near seven|income is slow|nobody believes you any more|ambassador",
        ],
        "faq": [
            "use a character that i do not hold|challenged and the claim was true|shuffled",
            "who may block|only its target, as lady|as corsair or as ambassador",
            "10 coins or more|wikimedia commons|public domain|sobremesa play intriga",
            "the moneylender and his wife|massys|judith and her maidservant|gentileschi",
            "barbarossa|unknown painter|isabella d'este|titian|lady with an ermine|leonardo",
            "sign up|nobody to wait for",
        ],
    },
}
"""What the pages of each game say somewhere, a place in the page to a line."""


@pytest.mark.parametrize(
    ("game", "page", "words"),
    [
        (game, page, words)
        for game, pages in SAID.items()
        for page in pages
        for words in pages[page]
    ],
)
def test_page_says(game: str, page: str, words: str) -> None:
    flat = " ".join(getattr(GAMES[game].help, page).split()).casefold()
    assert [said for said in words.split("|") if said not in flat] == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("page", ["rules", "tips", "faq"])
def test_page_fits_a_terminal_and_a_screen_reader(game: str, page: str) -> None:
    text = getattr(GAMES[game].help, page)
    assert text.startswith(f"# {GAMES[game].title}")
    assert text.isascii()
    for line in text.splitlines():
        assert len(line) <= 78
        assert not line.startswith((" - ", "|", "*", ">", "```"))


@pytest.mark.parametrize("game", ["cinco-vidas", "dudo", "five-alive"])
def test_rules_name_every_option_value_that_is_not_the_default(game: str) -> None:
    for option in GAMES[game].options:
        for choice in set(option.choices) - {option.default}:
            assert f"`{option.key}={choice}`" in GAMES[game].help.rules
