"""The sentence patterns of judge claims: ``{it}`` is how the claim calls its text, ``{}`` the fact."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wordings:
    """Sentence patterns of one kind of claim. Those in ``unseen`` are kept for the held-out half: a
    judge can be tuned to the others, and these show whether it learned more than their words."""

    shared: tuple[str, ...]
    unseen: tuple[str, ...]


QUOTED = Wordings(
    ("{it} says: “{}”.", "In the words of the text: “{}”.", "{it} reads “{}”."),
    ("It is put as follows: “{}”.", "Among its words are “{}”."),
)
AMOUNT = Wordings(
    ("{it} names {}.", "A figure of {} is stated.", "{it} works with {}."),
    ("{it} puts the figure at {}.", "The number given is {}."),
)
PERIOD = Wordings(
    ("A period of {} is named.", "{it} speaks of {}.", "The time stated is {}."),
    ("{it} sets a time of {}.", "The span of time is {}."),
)
SECTION = Wordings(
    ("{it} refers to {}.", "There is a reference to {}.", "{} is mentioned."),
    ("{it} points to {}.", "The text names {}."),
)
PROTECTED = Wordings(
    ("{it} protects {}.", "It is {} whose liability is limited or excluded.", "{it} works in favour of {}."),
    ("{} benefits from it.", "The party that it shields is {}."),
)
MUTUAL = Wordings(
    ("The protection runs both ways.", "Both parties are protected.", "{it} protects the one party and the other."),
    ("Each side is shielded.", "Neither side is left without its protection."),
)
ONE_WAY = Wordings(
    ("Only {} is protected.", "The protection is for {} alone.", "{it} protects {} and nobody else."),
    ("It shields {}, while the other side stays exposed.", "No one but {} benefits from it."),
)
EXCEPTED = Wordings(
    ("There is an exception for {}.", "{it} makes an exception for {}.", "Excepted are matters of {}."),
    ("A carve-out concerns {}.", "The limit does not reach {}."),
)
NO_EXCEPTION = Wordings(
    ("{it} knows no exception.", "There is no exception of any kind.", "{it} holds in every case, without exception."),
    ("Nothing is carved out.", "The limit is absolute."),
)
HEAD = Wordings(
    ("{} damages are excluded.", "{it} excludes {} damages.", "No {} damages can be claimed."),
    ("Recovery of {} damages is barred.", "There is no liability for {} damages."),
)
TOO_WIDE = Wordings(
    (
        "All damages are excluded, direct ones included.",
        "{it} excludes every kind of damages.",
        "Not even direct damages can be claimed.",
    ),
    ("Recovery of direct damages is barred as well.", "Every loss is ruled out, whatever its kind."),
)
NOBODY = Wordings(
    ("No party to the agreement can be held liable.", "All parties are protected, whoever they are."),
    ("Nobody bound by the agreement can ever be made liable.",),
)
WHATEVER = Wordings(
    ("The limit reaches {} as well.", "Claims about {} are limited too, like all others."),
    ("Even for {} the limit holds.", "The limit makes no difference between {} and anything else."),
)
