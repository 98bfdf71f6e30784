"""The sentence patterns of judge claims: ``{it}`` is how the claim calls its text, ``{}`` the fact (``{0}`` and
``{1}`` where it takes two)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wordings:
    """Sentence patterns of one kind of claim. Those in ``unseen`` are kept for the held-out half: a
    judge can be tuned to the others, and these show whether it learned more than their words."""

    shared: tuple[str, ...]
    unseen: tuple[str, ...]


QUOTED = Wordings(
    (
        "{it} says: “{}”.",
        "In the words of the text: “{}”.",
        "{it} reads “{}”.",
        "It is put as follows: “{}”.",
        "Among its words are “{}”.",
    ),
    ("Its wording is “{}”.", "It can be read there that “{}”."),
)
AMOUNT = Wordings(
    (
        "{it} names {}.",
        "A figure of {} is stated.",
        "{it} works with {}.",
        "{it} puts the figure at {}.",
        "The number given is {}.",
    ),
    ("{it} fixes it at {}.", "What it comes to is {}."),
)
PERIOD = Wordings(
    (
        "A period of {} is named.",
        "{it} speaks of {}.",
        "The time stated is {}.",
        "{it} sets a time of {}.",
        "The span of time is {}.",
    ),
    ("{it} allows for {}.", "It is a matter of {}."),
)
SECTION = Wordings(
    (
        "{it} refers to {}.",
        "There is a reference to {}.",
        "{} is mentioned.",
        "{it} points to {}.",
        "The text names {}.",
    ),
    ("{it} cites {}.", "A link is made to {}."),
)
PROTECTED = Wordings(
    (
        "{it} protects {}.",
        "It is {} whose liability is limited or excluded.",
        "{it} works in favour of {}.",
        "{} benefits from it.",
        "The party that it shields is {}.",
    ),
    ("The beneficiary is {}.", "{it} spares {}."),
)
LIABLE_TO = Wordings(
    (
        "{it} is about the liability of {0} to {1}.",
        "It deals with the liability that {0} has to {1}.",
        "The liability at issue is that of {0} to {1}.",
        "{it} speaks of {0}'s liability to {1}.",
        "What is dealt with is {0}'s liability towards {1}.",
    ),
    ("{1} is the one to whom {0} may be liable.", "It is {0} that may have to make good a loss of {1}."),
)
#: Of what the limit is measured by, and of nothing else: who is liable pays as well.
PAYS = Wordings(
    (
        "The limit hangs on what {0} pays to {1}.",
        "{it} measures by sums paid by {0} to {1}.",
        "What counts for the limit is paid by {0} to {1}.",
        "The amount of the limit follows from payments by {0} to {1}.",
        "The limit goes by the payments of {0} to {1}.",
    ),
    ("The yardstick is what {1} receives from {0}.", "How far the limit goes is set by {0}'s payments to {1}."),
)
MUTUAL = Wordings(
    (
        "The protection runs both ways.",
        "Both parties are protected.",
        "{it} protects the one party and the other.",
        "Each side is shielded.",
        "Neither side is left without its protection.",
    ),
    ("It is reciprocal.", "What holds for one party holds for the other."),
)
ONE_WAY = Wordings(
    (
        "Only {} is protected.",
        "The protection is for {} alone.",
        "{it} protects {} and nobody else.",
        "It shields {}, while the other side stays exposed.",
        "No one but {} benefits from it.",
    ),
    ("It is a privilege of {}.", "{it} spares {}, but not the party across the table."),
)
EXCEPTED = Wordings(
    (
        "There is an exception for {}.",
        "{it} makes an exception for {}.",
        "Excepted are matters of {}.",
        "A carve-out concerns {}.",
        "The limit does not reach {}.",
    ),
    ("{} stands outside the limit.", "{it} leaves {} out of the limit."),
)
NO_EXCEPTION = Wordings(
    (
        "{it} knows no exception.",
        "There is no exception of any kind.",
        "{it} holds in every case, without exception.",
        "Nothing is carved out.",
        "The limit is absolute.",
    ),
    ("It applies in all circumstances, whatever happens.", "There is no way around the limit."),
)
HEAD = Wordings(
    (
        "{} damages are excluded.",
        "{it} excludes {} damages.",
        "No {} damages can be claimed.",
        "Recovery of {} damages is barred.",
        "There is no liability for {} damages.",
    ),
    ("{it} bars {} damages.", "{} damages are off the table."),
)
TOO_WIDE = Wordings(
    (
        "All damages are excluded, direct ones included.",
        "{it} excludes every kind of damages.",
        "Not even direct damages can be claimed.",
        "Recovery of direct damages is barred as well.",
        "Every loss is ruled out, whatever its kind.",
    ),
    ("{it} bars damages of every sort.", "Nothing at all can be recovered."),
)
NOBODY = Wordings(
    (
        "No party to the agreement can be held liable.",
        "All parties are protected, whoever they are.",
        "Nobody bound by the agreement can ever be made liable.",
    ),
    ("Whoever signed it is free of all liability.",),
)
WHATEVER = Wordings(
    (
        "The limit reaches {} as well.",
        "Claims about {} are limited too, like all others.",
        "Even for {} the limit holds.",
        "The limit makes no difference between {} and anything else.",
    ),
    ("{} is within the limit.", "{it} makes no allowance for {}."),
)
