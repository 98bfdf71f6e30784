"""The parts from which liability clauses are composed, each with the levels it stands for.

Templates in the language of ``markup``. Marks name the positions that the words decide: ``⟦23:…⟧``
is evidence for P2 and P3. Slots: ``<a>``/``<A>`` the party that the clause protects (or binds),
``<b>``/``<B>`` the other, ``<payer>`` who pays under the contract, ``<sum>`` and ``<nominal>`` sums of
money, ``<sec_…>`` section numbers of the contract at hand, ``<far1>``/``<far2>`` numbers of parts that
it does not hold.
"""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.base.types import Level

MEETS, DEPARTS, OFF, SILENT = Level.MEETS, Level.DEPARTS, Level.OFF, Level.SILENT


@dataclass(frozen=True, slots=True)
class Ceiling:
    """A noun phrase that caps liability. ``stated`` is False where the amount is not in the words,
    ``money`` where not even a sum or a basis in money is named."""

    template: str
    p2: Level
    p3: Level
    point: str
    stated: bool = True
    money: bool = True


@dataclass(frozen=True, slots=True)
class Waiver:
    """Heads of loss that are excluded; ``level`` is P4 if the exclusion runs both ways."""

    template: str
    level: Level
    point: str


@dataclass(frozen=True, slots=True)
class Exceptions:
    """How the exceptions of a clause stand to P6. ``items`` are noun phrases after "except for";
    between ``least`` and ``most`` of them are drawn. ``listed`` adds up to that many permitted ones.
    ``one_sided``: every exception exposes one party only. ``alternate``: another defensible verdict."""

    items: tuple[str, ...]
    level: Level
    point: str
    least: int = 1
    most: int = 1
    listed: int = 0
    one_sided: bool = False
    alternate: tuple[str, str] | None = None
    uncertainty: str | None = None


CEILINGS: dict[str, tuple[Ceiling, ...]] = {
    "standard": (
        Ceiling(
            "the {total |aggregate |}<fees> <paid> <by><hereunder> {in|during|for|over} the {twelve (12) month "
            "period|twelve (12) months|12 months} <before> <event>",
            MEETS,
            MEETS,
            "twelve months' fees",
        ),
        Ceiling(
            "the <fees> <paid> <by><hereunder> {during|in} the {eighteen (18)|twenty-four (24)} months <before> "
            "<event>",
            MEETS,
            MEETS,
            "fees over more than twelve months",
        ),
        Ceiling(
            "{two times|twice|three (3) times|one and one-half times|two hundred percent (200%) of} the <fees> "
            "<paid> <by><hereunder> {in|during} the twelve (12) months <before> <event>",
            MEETS,
            MEETS,
            "one to three times a year's fees",
        ),
        Ceiling(
            "the {total|aggregate} {<fees>|price|compensation} <paid> <by>{under|pursuant to|over the whole term "
            "of} this Agreement",
            MEETS,
            MEETS,
            "all amounts paid under the agreement",
        ),
        Ceiling(
            "the {total price|total amount payable|full value} of the {purchase order|order|statement of work} "
            "{under which the {claim|liability} arises|to which the claim relates|at issue}",
            MEETS,
            MEETS,
            "the value of the order at issue",
        ),
        Ceiling("{the sum of |}<sum>{ in the aggregate|}", MEETS, MEETS, "a stated sum"),
        Ceiling(
            "the {greater|higher} of <sum> and the <fees> <paid> <by><hereunder> in the twelve (12) months "
            "<before> <event>",
            MEETS,
            MEETS,
            "the greater of a sum and twelve months' fees",
        ),
    ),
    "narrow": (
        Ceiling(
            "the {total |}<fees> <paid> <by><hereunder> {in|during|for} the {six (6)|three (3)|two (2)} "
            "{months|calendar months} <before> <event>",
            DEPARTS,
            MEETS,
            "fees over fewer than twelve months",
        ),
        Ceiling(
            "the <fees> <paid> <by>for the {calendar month|calendar quarter|billing period} in which the "
            "{claim|cause of action} {arose|arises}",
            DEPARTS,
            MEETS,
            "fees of a single billing period",
        ),
        Ceiling(
            "the {purchase price|invoice price|price paid} {of|for} the {{particular|specific|individual} "
            "{shipment|unit|delivery}|shipment or unit} {that gave rise to the claim|in respect of which the claim "
            "is made|claimed to be defective}",
            DEPARTS,
            MEETS,
            "the price of one unit or shipment",
        ),
    ),
    "level": (
        Ceiling(
            "{one-half of|fifty percent (50%) of|twenty-five percent (25%) of|one quarter of} the {total |}<fees> "
            "<paid> <by><hereunder> {in|during} the twelve (12) months <before> <event>",
            MEETS,
            DEPARTS,
            "less than one time a year's fees",
        ),
        Ceiling(
            "{five (5)|ten (10)|six (6)|four (4)} times the {total |}<fees> <paid> <by><hereunder> {in|during} the "
            "twelve (12) months <before> <event>",
            MEETS,
            DEPARTS,
            "more than three times a year's fees",
        ),
        Ceiling("{the sum of |}<nominal>{ in total|}", MEETS, DEPARTS, "a nominal sum"),
    ),
    "narrow-level": (
        Ceiling(
            "{one-half of|fifty percent (50%) of|thirty percent (30%) of} the <fees> <paid> <by><hereunder> "
            "{in|during} the {three (3)|six (6)} months <before> <event>",
            DEPARTS,
            DEPARTS,
            "a part of a few months' fees",
        ),
    ),
    "redacted": (
        Ceiling("{[***]|[*****]|[ * ]|$[***]|US$[*****]}", SILENT, SILENT, "the amount is redacted", stated=False),
        Ceiling(
            "{[***] percent ([***]%) of|[***] times} the <fees> <paid> <by>during the [***] {period|months} "
            "<before> <event>",
            SILENT,
            SILENT,
            "the multiple and the period are redacted",
            stated=False,
        ),
        Ceiling(
            "the <fees> <paid> <by><hereunder> in the [*****] {months|period} <before> <event>",
            SILENT,
            SILENT,
            "the look-back period is redacted",
            stated=False,
        ),
    ),
    "elsewhere": (
        Ceiling(
            "the {amount|limit|sum} {set forth|set out|specified|stated} in {Section <far1>|Schedule "
            "<letter>|paragraph <far2> of Exhibit <letter>|Annex <letter>}",
            SILENT,
            SILENT,
            "the amount stands in another part",
            stated=False,
            money=False,
        ),
        Ceiling(
            "the {Liability Cap|Maximum Amount|Agreed Limit} {(as defined in {Section <far1>|Exhibit "
            "<letter>})|{determined in accordance with|fixed by} {Section <far1>|Schedule <letter>}}",
            SILENT,
            SILENT,
            "the amount is defined in another part",
            stated=False,
            money=False,
        ),
    ),
}

WAIVERS: dict[str, tuple[Waiver, ...]] = {
    "indirect": (
        Waiver("<heads><including>", MEETS, "indirect and consequential loss excluded"),
        Waiver(
            "{loss of {profit|profits}, {loss of |}revenue or {goodwill|business}|lost profits, lost data or lost "
            "goodwill}, or <heads>",
            MEETS,
            "lost profits and indirect loss excluded",
        ),
    ),
    "direct": (
        Waiver(
            "{any |}loss of {profits|profit}, {business|turnover}, {contracts|property} or {anticipated |}savings "
            "(whether {direct or indirect|such loss is direct or indirect}){|, or for any consequential loss}",
            DEPARTS,
            "the exclusion reaches direct loss",
        ),
        Waiver(
            "any {direct, indirect, special or consequential|direct, incidental or consequential|consequential, "
            "indirect or direct} {loss of profit or cost of cover|damages for interruption of supply|damages for "
            "delay}",
            DEPARTS,
            "direct loss is excluded as well",
        ),
        Waiver(
            "{the cost of cover or of substitute <goods>|any cost of procuring replacement <goods>}, or for <heads>",
            DEPARTS,
            "cover is excluded beside indirect loss",
        ),
    ),
}

_PERMITTED = (
    "{fraud|fraud or fraudulent misrepresentation}",
    "{gross negligence or {willful|wilful|intentional} misconduct|{willful|wilful|intentional} misconduct}",
    "{death or {personal|bodily} injury|personal injury or death caused by negligence}",
    "{breach of {the|any} {confidentiality obligations|duty of confidence} {in Section <sec_conf>|under this "
    "Agreement}|a breach of Section <sec_conf> (<head_conf>)|unauthorized disclosure of Confidential Information}",
    "{infringement|misappropriation|infringement or misappropriation} of {intellectual property rights|the other "
    "party's intellectual property|a third party's intellectual property rights}",
    "{{the|any} {indemnities given|indemnification obligations} {in|under} Section <sec_indem> "
    "(<head_indem>)|indemnification of third-party claims|{the|any} obligation to indemnify against claims of "
    "third parties}",
    "{the obligation to pay {fees|amounts} due {hereunder|under this Agreement}|payment of sums due|unpaid invoices}",
    "{any liability {that|which} {cannot|may not} {by law |lawfully |}be {limited|excluded|limited or "
    "excluded}|liability that applicable law does not permit to be limited}",
)
_OUTSIDE = (
    "{breach of the exclusivity undertaking|a breach of the exclusivity covenant}",
    "{damage to tangible property|damage to real or tangible personal property}",
    "{failure to meet the delivery dates agreed in the forecast|late delivery beyond thirty (30) days}",
    "{breach of the covenant not to solicit employees|a breach of the non-solicitation covenant}",
    "{costs of a product recall|the cost of recalling the <goods>}",
    "{failure to maintain the required insurance|failure to keep the insurance required by this Agreement}",
    "{wrongful termination of this Agreement|termination without the agreed notice}",
)

EXCEPTIONS: dict[str, Exceptions] = {
    "listed": Exceptions(_PERMITTED, MEETS, "exceptions stay within the permitted list", 1, 4),
    "outside": Exceptions(_OUTSIDE, DEPARTS, "an exception outside the permitted list", 1, 1, listed=2),
    "numbers": Exceptions(
        (
            "{claims|liability|liabilities} {under|arising under} {Sections <far1> and <far2>|Section "
            "<far1>|paragraphs <far2>(a) and <far2>(d) of Exhibit <letter>}",
        ),
        DEPARTS,
        "exceptions named by number only",
        alternate=("acceptable", "if the parts named by number deal with a permitted subject"),
        uncertainty="The subject of the parts named by number is not shown.",
    ),
    "open": Exceptions(
        (
            "as otherwise {expressly |}{set forth|provided|agreed} {herein|in this Agreement|elsewhere in this "
            "Agreement}",
        ),
        DEPARTS,
        "an open exception that names no subject",
        alternate=("acceptable", "if nothing elsewhere in the agreement widens the exception"),
        uncertainty="What is otherwise set forth is not shown.",
    ),
    "one-sided": Exceptions(
        (
            "<b>'s {breach of Section <sec_conf> (<head_conf>)|infringement of <a>'s intellectual property}",
            "<b>'s {fraud or {willful|wilful} misconduct|indemnification obligations under Section <sec_indem> "
            "(<head_indem>)}",
        ),
        MEETS,
        "the only exception exposes one party",
        1,
        2,
        one_sided=True,
    ),
    "wide": Exceptions(
        (
            "{any breach by {either party|a party} of {its|any of its} obligations{, representations or "
            "covenants|} {under this Agreement|hereunder}|{any failure|failure} {of {either|a} party |}to perform "
            "{any|its} obligation{s|} under this Agreement|{a|any} breach of {any provision of |}this Agreement by "
            "either party}",
        ),
        OFF,
        "ordinary breach of the agreement is uncapped",
        listed=1,
    ),
}
