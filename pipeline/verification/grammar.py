"""Citation grammar: which strings cite, what they cite, and their one canonical writing.

Two families. *Bracketed* ids of the project's own artifacts: ``[chunk:ID]``, ``[clause:ID]``,
``[standard:ID]``, ``[doc:NAME]``, each with ``#LOCUS`` where a place is meant. *Swiss* sources, in German or
French: published decisions (``BGE 148 III 215 E. 3.2``, ATF/DTF with consid.), dockets (``4A_123/2020 vom
3. März 2021``, ``A-1234/2019``), statute articles (``Art. 100 Abs. 1 OR``, ``art. 100 al. 1 CO``) and commentaries
(``BSK OR I-Muster, Art. 100 N 4``). ``key`` is the source without the place in it, ``pinpoint`` the place; a
string that begins like a citation and is none has a ``problem``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

BRACKETS = ("chunk", "clause", "standard", "doc")
#: French and Italian names of statutes by their German one.
STATUTES = {
    "CO": "OR", "CC": "ZGB", "CCS": "ZGB", "CP": "StGB", "CPC": "ZPO", "CPP": "StPO", "LPD": "DSG", "Cst.": "BV",
    "Cst": "BV", "LP": "SchKG", "LCD": "UWG", "LCart": "KG", "LDA": "URG", "LTF": "BGG", "LDIP": "IPRG",
    "LBA": "GwG", "LCA": "VVG", "LPM": "MSchG", "LBI": "PatG", "LTr": "ArG", "LFus": "FusG", "LTVA": "MWSTG",
}  # fmt: skip
GERMAN = frozenset(STATUTES.values())
_STATUTE = r"(?:" + "|".join(
    sorted((re.escape(name) for name in {*STATUTES, *GERMAN}), key=len, reverse=True)
) + r"|[A-Z][A-Za-zÄÖÜäöü]{0,8}[A-Z])(?![A-Za-zÄÖÜäöü])"  # fmt: skip
_NUMBER = r"\d{1,4}(?:bis|ter|quater|quinquies|sexies|[a-z](?![a-z]))?"
_PARA = r"(?:(?:Abs\.|al\.|cpv\.)\s*\d{1,2}(?:bis|ter)?)"
_LETTER = r"(?:(?:lit\.|let\.|lett\.|Bst\.)\s*[a-z](?:bis)?)"
_POINT = r"(?:(?:Ziff\.|ch\.|n\.)\s*\d{1,2})"
_PLACE = rf"(?:\s*(?:{_PARA}|{_LETTER}|{_POINT}))*(?:\s*ff?\.)?"
_CONSIDERATION = r"(?:(?:E\.|consid\.|c\.)\s*\d{1,2}(?:\.\d{1,2})*(?:/?[a-z]{1,2}(?![a-z]))?)"
_PAGE = r"(?:(?:S\.|p\.)\s*\d{1,4})"
_DATE = r"(?:vom|du|del)\s+(\d{1,2}\.?(?:er)?\s+[A-Za-zäéûç]+\s+\d{4}|\d{1,2}\.\d{1,2}\.\d{4})"
_DOCKET = r"(?:[1-9][A-Z]{1,2}[_.]\d{1,4}/\d{4}|[A-F]-\d{1,5}/\d{4}|[A-Z]{2}\.\d{4}\.\d{1,4})"
_WORKS = r"(?:BSK|BK|ZK|CHK|OFK|KUKO|SHK|CR|DIKE)"

PATTERNS = (
    ("commentary", re.compile(
        rf"\b(?P<work>{_WORKS})(?P<volume>(?:\s+[A-Z][A-Za-z]{{1,6}})?(?:\s+[IVX]{{1,4}})?)\s?[-–]\s?"
        r"(?P<author>[A-ZÄÖÜÉÈ][\w'’.-]*(?:(?:/|\s)[A-ZÄÖÜÉÈ][\w'’.-]*)*),\s*"
        rf"(?:[Aa]rt\.|[Vv]orb\.\s*zu\s*[Aa]rt\.)\s*(?P<article>{_NUMBER})(?:\s+(?P<statute>{_STATUTE}))?"
        r"(?:,?\s*(?P<pin>(?:N\.?|Rz\.?|n\.)\s*\d{1,4}))?"
    )),
    ("bge", re.compile(
        r"\b(?:BGE|ATF|DTF)\s+(?P<volume>\d{1,4})\s+(?P<part>[IVX]{1,4}[ab]?)\s+(?P<page>\d{1,5})"
        rf"(?P<pin>(?:,?\s*(?:{_CONSIDERATION}|{_PAGE}))*)"
    )),
    ("decision", re.compile(
        rf"(?<![\w/.-])(?P<docket>{_DOCKET})(?![\w/])(?:\s+{_DATE})?(?P<pin>(?:,?\s*{_CONSIDERATION})*)"
    )),
    ("statute", re.compile(
        rf"\b[Aa]rt\.\s*(?P<article>{_NUMBER})(?P<pin>{_PLACE})\s+(?P<statute>{_STATUTE})"
    )),
)  # fmt: skip
_BRACKET = re.compile(rf"\[\s*(?P<kind>{'|'.join(BRACKETS)})\b(?P<rest>[^\[\]\n]{{0,200}})\]?", re.IGNORECASE)
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,119}")
_LOCUS = re.compile(r"[^\[\]#\n]{1,80}")
#: Looks like the beginning of a citation: what none of the patterns took is malformed.
_STRAY = (
    (re.compile(r"\b(?:BGE|ATF|DTF)\b[^,.;)\n]{0,20}"), "bge", "no volume, part and page as in BGE 148 III 215"),
    (re.compile(r"\b[Aa]rt\.\s*\d[^,.;)\n]{0,20}"), "statute", "no statute is named as in Art. 100 Abs. 1 OR"),
)
_LISTED = re.compile(rf"\b[Aa]rt\.\s*(?P<article>{_NUMBER})(?P<pin>{_PLACE})(?=(?:,|\s+und|\s+et|\s+i\.?V\.?m\.?)\s)")
PARTS = ("I", "Ia", "Ib", "II", "III", "IV", "V", "VI")
MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "januar janvier", "februar février", "märz mars", "april avril", "mai", "juni juin", "juli juillet",
            "august août", "september septembre", "oktober octobre", "november novembre", "dezember décembre",
        ), start=1,
    )
    for name in names.split()
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation string in a text, at ``[start, end)``. ``date`` is the ISO date it states, if any."""

    kind: str
    raw: str
    start: int
    end: int
    key: str
    pinpoint: str = ""
    date: str = ""
    problem: str = ""

    @property
    def canonical(self) -> str:
        if self.kind in BRACKETS:
            return f"[{self.key}#{self.pinpoint}]" if self.pinpoint else f"[{self.key}]"
        if self.kind == "statute":
            article, _, statute = self.key.rpartition(" ")
            return " ".join(part for part in (article, self.pinpoint, statute) if part)
        return f"{self.key} {self.pinpoint}".strip()


def extract(text: str) -> list[Citation]:
    """Every citation of ``text`` in order, malformed ones included; none overlaps another."""
    found: list[Citation] = []
    taken = bytearray(len(text))

    def take(citation: Citation) -> None:
        if not any(taken[citation.start : citation.end]):
            taken[citation.start : citation.end] = b"\x01" * (citation.end - citation.start)
            found.append(citation)

    for citation in _bracketed(text):
        take(citation)
    for kind, pattern in PATTERNS:
        for match in pattern.finditer(text):
            take(_swiss(kind, match))
    statutes = {c.start: c for c in found if c.kind == "statute"}
    for match in _LISTED.finditer(text):
        # "Art. 97 und Art. 101 OR": the statute is named by the next article.
        after = next((statutes[at] for at in range(match.end(), match.end() + 20) if at in statutes), None)
        if after is not None:
            key = f"Art. {match['article']} {after.key.rpartition(' ')[2]}"
            take(Citation("statute", match[0], match.start(), match.end(), key, _place(match["pin"])))
    for pattern, kind, problem in _STRAY:
        for match in pattern.finditer(text):
            raw = match[0].strip()
            take(Citation(kind, raw, match.start(), match.start() + len(raw), raw, problem=problem))
    return sorted(found, key=lambda c: c.start)


def _bracketed(text: str) -> Iterator[Citation]:
    for match in _BRACKET.finditer(text):
        kind, rest = match["kind"].lower(), match["rest"]
        name, _, locus = rest.removeprefix(":").strip().partition("#")
        name, problem = name.strip(), ""
        if not match[0].endswith("]"):
            problem = "the bracket is not closed"
        elif not rest.lstrip().startswith(":") or not _ID.fullmatch(name):
            problem = f"not of the form [{kind}:ID]"
        elif match["kind"] != kind or rest != rest.strip() or rest != f":{rest[1:].strip()}":
            problem = f"not written as [{kind}:{name}]"
        elif "#" in rest and not _LOCUS.fullmatch(locus):
            problem = "the place behind # is empty or too long"
        yield Citation(kind, match[0], match.start(), match.end(), f"{kind}:{name}", locus.strip(), "", problem)


def _swiss(kind: str, match: re.Match[str]) -> Citation:
    raw, start, end = match[0], match.start(), match.end()
    pin, date, problem = _place(match["pin"] or ""), "", ""
    if kind == "bge":
        volume, page = int(match["volume"]), int(match["page"])
        key = f"BGE {volume} {match['part']} {page}"
        if not 1 <= volume <= 200:
            problem = f"there is no volume {volume}"
        elif match["part"] not in PARTS:
            problem = f"there is no part {match['part']}"
        elif page == 0:
            problem = "there is no page 0"
    elif kind == "decision":
        key = match["docket"]
        year = int(re.search(r"(?:/|\.)(\d{4})(?:\.|$)", key)[1])  # type: ignore[index]
        if match[2]:
            date, problem = _iso(match[2])
            if date and int(date[:4]) < year:
                problem = f"decided in {date[:4]}, before the docket of {year} was opened"
        if not 1950 <= year <= 2100:
            problem = f"there is no docket of the year {year}"
    elif kind == "statute":
        key = f"Art. {match['article']} {STATUTES.get(match['statute'], match['statute'])}"
    else:
        volume = " ".join(match["volume"].split())
        name = " ".join(STATUTES.get(word, word) for word in volume.split())
        statute = match["statute"] or ""
        work = " ".join(part for part in (match["work"], name) if part)
        article = f"Art. {match['article']}" + (f" {STATUTES.get(statute, statute)}" if statute else "")
        key = f"{work}-{match['author']}, {article}"
    if not problem and any(c.isdigit() and not c.isascii() for c in raw):
        problem = "its digits are not those of ASCII"
    return Citation(kind, raw, start, end, key, pin, date, problem)


def _place(pin: str) -> str:
    """A pinpoint in its German writing: ``al. 1 let. a`` is ``Abs. 1 lit. a``."""
    text = " ".join(pin.replace(",", " ").split())
    for pattern, german in (
        (r"(?:al\.|cpv\.|Abs\.)\s*", "Abs. "),
        (r"(?:let\.|lett\.|Bst\.|lit\.)\s*", "lit. "),
        (r"(?:ch\.|Ziff\.)\s*", "Ziff. "),
        (r"(?:consid\.|\bc\.|E\.)\s*", "E. "),
        (r"(?:\bp\.|S\.)\s*", "S. "),
        (r"(?:\bN\.|\bN|Rz\.?|\bn\.)\s*(?=\d)", "N "),
    ):
        text = re.sub(pattern, german, text)
    return re.sub(r"(?<=\d)/(?=[a-z])", "", " ".join(text.split()))


def _iso(text: str) -> tuple[str, str]:
    """A written date in ISO form, or what is wrong with it."""
    import datetime

    numbers = re.match(r"(\d{1,2})\.(\d{1,2})\.(\d{4})$", text)
    words = re.match(r"(\d{1,2})\.?(?:er)?\s+(\S+)\s+(\d{4})$", text)
    try:
        if numbers:
            return datetime.date(int(numbers[3]), int(numbers[2]), int(numbers[1])).isoformat(), ""
        if words and words[2].lower() in MONTHS:
            return datetime.date(int(words[3]), MONTHS[words[2].lower()], int(words[1])).isoformat(), ""
    except ValueError:
        pass
    return "", f"{text!r} is no date"


def parse_one(text: str) -> Citation | None:
    """The citation that ``text`` is, whole; ``None`` where it is none or more than one.

    An id may stand without its brackets (``chunk:c0123``)."""
    text = " ".join(text.split())
    kind = text.partition(":")[0]
    found = extract(f"[{text}]" if kind in BRACKETS else text)
    return found[0] if len(found) == 1 and len(found[0].raw) >= len(text) else None


def standardized(text: str) -> str:
    """``text`` with every well-formed citation in its canonical writing; the rest as it was."""
    parts, at = [], 0
    for citation in extract(text):
        if citation.problem:
            continue
        when = f" vom {_german(citation.date)}" if citation.date else ""
        parts += [
            text[at : citation.start],
            f"{citation.key}{when} {citation.pinpoint}".strip() if when else citation.canonical,
        ]
        at = citation.end
    return "".join([*parts, text[at:]])


def _german(date: str) -> str:
    names = [name for name in MONTHS if name not in ("janvier", "février", "mars", "avril", "juin", "juillet", "août")]
    german = {MONTHS[n]: n for n in reversed(names) if not n.endswith("bre")} | {10: "oktober"}
    year, month, day = map(int, date.split("-"))
    return f"{day}. {german[month].capitalize()} {year}"
