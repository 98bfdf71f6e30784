"""The parts from which liability clauses are composed, each with the levels it stands for.

Templates in the language of ``markup``. Marks name the positions that the words decide: ``⟦23:…⟧``
is evidence for P2 and P3. Slots: ``<a>``/``<A>`` the party that the clause protects (or binds),
``<b>``/``<B>`` the other, ``<payer>`` who pays under the contract, ``<sum>`` and ``<nominal>`` sums of
money, ``<sec_…>`` section numbers of the contract at hand, ``<far1>``/``<far2>`` numbers of parts that
it does not hold.
"""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.types import Level

MEETS, DEPARTS, OFF, SILENT = Level.MEETS, Level.DEPARTS, Level.OFF, Level.SILENT

#: Phrases that several templates share; none of them decides a position.
PHRASES = {
    "scope": "{ arising out of or {relating to|in connection with} this Agreement| under {or in connection with |}this "
    "Agreement| in respect of {all|any and all} claims {hereunder|under this Agreement}| in relation to the {<goods>|"
    "subject matter of this Agreement}| hereunder}",
    "theory": "{|, whether in contract, tort {(including negligence) |}or otherwise,|, regardless of the {form|theory} of "
    "{the |}{action|claim},|, on whatever legal ground,|, whether based on contract, warranty, negligence, strict "
    "liability or any other theory,}",
    "total": "{total|aggregate|total aggregate|cumulative|maximum|entire|total cumulative}",
    "verb": "{shall not exceed|will not exceed|shall in no event exceed|is limited to|shall be limited to|will be limited "
    "to|shall be capped at|may not exceed|shall under no circumstances be greater than}",
    "be": "{shall|will}",
    "event": "{the event giving rise to {the claim|such liability}|the date {on which|when} the {claim|cause of action} "
    "arose|the {occurrence|act or omission} {complained of|on which the claim rests}}",
    "before": "{preceding|before|prior to|immediately preceding}",
    "aware": "{|, even if {advised of|informed of|aware of} the possibility of {such|those} {damages|losses}|, whether or "
    "not {foreseeable|such loss could have been foreseen}|, whether or not it was told that they might occur}",
    "paid": "{paid|paid or payable|actually paid|payable|paid and payable}",
    "fees": "{fees|amounts|sums|charges}",
    "by": "{by <payer> |}",
    "hereunder": "{under this Agreement|hereunder|pursuant to this Agreement}",
    "heads": "{any|any form of|any kind of} {indirect, special{, incidental|}{, exemplary|}{, punitive|} or consequential|"
    "consequential, {incidental, |}indirect or {special|exemplary|punitive}|special, {punitive, |}indirect or "
    "consequential|indirect or consequential|incidental, special, exemplary or consequential} {damages|losses|loss or "
    "damage|damage|loss}",
    "including": "{|, including {without limitation |}{loss of {profits|anticipated profits}{, revenue|}{, data|} or "
    "{goodwill|business}|lost profits{ or lost data| and loss of goodwill|}|loss of business, interruption of operations "
    "and lost savings}|, such as {lost profits|loss of revenue or of use}}",
}


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
            "the {total |aggregate |}<fees> <paid> <by><hereunder> {in|during|for|over} the {twelve (12) month period|twelve "
            "(12) months|12 months} <before> <event>",
            MEETS,
            MEETS,
            "twelve months' fees",
        ),
        Ceiling(
            "the <fees> <paid> <by><hereunder> {during|in} the {eighteen (18)|twenty-four (24)} months <before> <event>",
            MEETS,
            MEETS,
            "fees over more than twelve months",
        ),
        Ceiling(
            "{two times|twice|three (3) times|one and one-half times|two hundred percent (200%) of} the <fees> <paid> "
            "<by><hereunder> {in|during} the twelve (12) months <before> <event>",
            MEETS,
            MEETS,
            "one to three times a year's fees",
        ),
        Ceiling(
            "the {total|aggregate} {<fees>|price|compensation} <paid> <by>{under|pursuant to|over the whole term of} this "
            "Agreement",
            MEETS,
            MEETS,
            "all amounts paid under the agreement",
        ),
        Ceiling(
            "the {total price|total amount payable|full value} of the {purchase order|order|statement of work} {under which "
            "the {claim|liability} arises|to which the claim relates|at issue}",
            MEETS,
            MEETS,
            "the value of the order at issue",
        ),
        Ceiling("{the sum of |}<sum>{ in the aggregate|}", MEETS, MEETS, "a stated sum"),
        Ceiling(
            "the {greater|higher} of <sum> and the <fees> <paid> <by><hereunder> in the twelve (12) months <before> <event>",
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
            "the <fees> <paid> <by>for the {calendar month|calendar quarter|billing period} in which the {claim|cause of "
            "action} {arose|arises}",
            DEPARTS,
            MEETS,
            "fees of a single billing period",
        ),
        Ceiling(
            "the {purchase price|invoice price|price paid} {of|for} the {{particular|specific|individual} "
            "{shipment|unit|delivery}|shipment or unit} {that gave rise to the claim|in respect of which the claim is "
            "made|claimed to be defective}",
            DEPARTS,
            MEETS,
            "the price of one unit or shipment",
        ),
    ),
    "level": (
        Ceiling(
            "{one-half of|fifty percent (50%) of|twenty-five percent (25%) of|one quarter of} the {total |}<fees> <paid> "
            "<by><hereunder> {in|during} the twelve (12) months <before> <event>",
            MEETS,
            DEPARTS,
            "less than one time a year's fees",
        ),
        Ceiling(
            "{five (5)|ten (10)|six (6)|four (4)} times the {total |}<fees> <paid> <by><hereunder> {in|during} the twelve "
            "(12) months <before> <event>",
            MEETS,
            DEPARTS,
            "more than three times a year's fees",
        ),
        Ceiling("{the sum of |}<nominal>{ in total|}", MEETS, DEPARTS, "a nominal sum"),
    ),
    "narrow-level": (
        Ceiling(
            "{one-half of|fifty percent (50%) of|thirty percent (30%) of} the <fees> <paid> <by><hereunder> {in|during} the "
            "{three (3)|six (6)} months <before> <event>",
            DEPARTS,
            DEPARTS,
            "a part of a few months' fees",
        ),
    ),
    "redacted": (
        Ceiling("{[***]|[*****]|[ * ]|$[***]|US$[*****]}", SILENT, SILENT, "the amount is redacted", stated=False),
        Ceiling(
            "{[***] percent ([***]%) of|[***] times} the <fees> <paid> <by>during the [***] {period|months} <before> <event>",
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
            "the {amount|limit|sum} {set forth|set out|specified|stated} in {Section <far1>|Schedule <letter>|paragraph "
            "<far2> of Exhibit <letter>|Annex <letter>}",
            SILENT,
            SILENT,
            "the amount stands in another part",
            stated=False,
            money=False,
        ),
        Ceiling(
            "the {Liability Cap|Maximum Amount|Agreed Limit} {(as defined in {Section <far1>|Exhibit <letter>})|{determined in "
            "accordance with|fixed by} {Section <far1>|Schedule <letter>}}",
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
            "{loss of {profit|profits}, {loss of |}revenue or {goodwill|business}|lost profits, lost data or lost goodwill}, or "
            "<heads>",
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
            "any {direct, indirect, special or consequential|direct, incidental or consequential|consequential, indirect or "
            "direct} {loss of profit or cost of cover|damages for interruption of supply|damages for delay}",
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
    "{breach of {the|any} {confidentiality obligations|duty of confidence} {in Section <sec_conf>|under this Agreement}|a "
    "breach of Section <sec_conf> (<head_conf>)|unauthorized disclosure of Confidential Information}",
    "{infringement|misappropriation|infringement or misappropriation} of {intellectual property rights|the other party's "
    "intellectual property|a third party's intellectual property rights}",
    "{{the|any} {indemnities given|indemnification obligations} {in|under} Section <sec_indem> (<head_indem>)|indemnification "
    "of third-party claims|{the|any} obligation to indemnify against claims of third parties}",
    "{the obligation to pay {fees|amounts} due {hereunder|under this Agreement}|payment of sums due|unpaid invoices}",
    "{any liability {that|which} {cannot|may not} {by law |lawfully |}be {limited|excluded|limited or excluded}|liability that "
    "applicable law does not permit to be limited}",
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
            "{claims|liability|liabilities} {under|arising under} {Sections <far1> and <far2>|Section <far1>|paragraphs "
            "<far2>(a) and <far2>(d) of Exhibit <letter>}",
        ),
        DEPARTS,
        "exceptions named by number only",
        alternate=("acceptable", "if the parts named by number deal with a permitted subject"),
        uncertainty="The subject of the parts named by number is not shown.",
    ),
    "open": Exceptions(
        (
            "as otherwise {expressly |}{set forth|provided|agreed} {herein|in this Agreement|elsewhere in this Agreement}",
        ),
        DEPARTS,
        "an open exception that names no subject",
        alternate=("acceptable", "if nothing elsewhere in the agreement widens the exception"),
        uncertainty="What is otherwise set forth is not shown.",
    ),
    "one-sided": Exceptions(
        (
            "<b>'s {breach of Section <sec_conf> (<head_conf>)|infringement of <a>'s intellectual property}",
            "<b>'s {fraud or {willful|wilful} misconduct|indemnification obligations under Section <sec_indem> (<head_indem>)}",
        ),
        MEETS,
        "the only exception exposes one party",
        1,
        2,
        one_sided=True,
    ),
    "wide": Exceptions(
        (
            "{any breach by {either party|a party} of {its|any of its} obligations{, representations or covenants|} {under this "
            "Agreement|hereunder}|{any failure|failure} {of {either|a} party |}to perform {any|its} obligation{s|} under this "
            "Agreement|{a|any} breach of {any provision of |}this Agreement by either party}",
        ),
        OFF,
        "ordinary breach of the agreement is uncapped",
        listed=1,
    ),
}

#: Whole sentences with the slot that carries the part. A lead-in lowers the first small word.
CAP_MUTUAL = (
    "⟦1:{Either|Each} party's⟧ <total> liability<scope><theory> <verb> ⟦CAP:<ceiling>⟧",
    "In no event {shall|will} ⟦1:either party⟧ be liable {to the other |}<hereunder> for {an aggregate amount|any amount|sums} "
    "{in excess of|greater than|exceeding} ⟦CAP:<ceiling>⟧",
    "⟦1:Neither party⟧ <be> be {obliged|required} to pay the other, {in respect of all claims taken together|for all claims of "
    "whatever kind}, more than ⟦CAP:<ceiling>⟧",
    "The {maximum|total} {amount|sum} {recoverable|that may be recovered} ⟦1:by either party from the other⟧<scope><theory> "
    "<verb> ⟦CAP:<ceiling>⟧",
    "The <total> liability of ⟦1:each party to the other⟧<scope><theory> <verb> ⟦CAP:<ceiling>⟧",
    "Under no circumstances {shall|will} ⟦1:either party's⟧ liability<scope> exceed ⟦CAP:<ceiling>⟧",
    "The liability of ⟦1:<a> to <b>, and of <b> to <a>,⟧<scope> <verb> ⟦CAP:<ceiling>⟧",
)
CAP_ONE = (
    "⟦1:<A>'s⟧ <total> liability{ to <b>|}<scope><theory> <verb> ⟦CAP:<ceiling>⟧",
    "In no event {shall|will} ⟦1:<a>⟧ be liable to <b> {hereunder |}for {an aggregate amount|any amount|damages} {in excess "
    "of|greater than|exceeding} ⟦CAP:<ceiling>⟧",
    "<B> agrees that ⟦1:<a>'s⟧ {<total> |}liability<scope><theory> <verb> ⟦CAP:<ceiling>⟧",
    "The {maximum|total} {amount|sum} that <b> may recover ⟦1:from <a>⟧<scope> <verb> ⟦CAP:<ceiling>⟧",
    "The liability of ⟦1:<a>⟧<scope>{, if any,|} <verb> ⟦CAP:<ceiling>⟧",
    "Under no circumstances {shall|will} ⟦1:<a>⟧ be {obliged|required} to pay <b> more than ⟦CAP:<ceiling>⟧{ in respect of all "
    "claims| for any and all claims|}",
)
WAIVER_MUTUAL = (
    "In no event {shall|will} ⟦1:{either party|a party}⟧ be liable {to the other |}for ⟦4:<waived>⟧<aware>",
    "⟦1:Neither party⟧ {shall|will} {be liable|be responsible|have any liability} {to the other |}for ⟦4:<waived>⟧<aware>",
    "⟦1:Each party waives⟧ {any claim|all claims} {against the other |}for ⟦4:<waived>⟧<aware>",
    "⟦1:Neither <a> nor <b>⟧ {shall|will} be liable {to the other |}for ⟦4:<waived>⟧<aware>",
    "Under no circumstances {may|shall} ⟦1:either party recover from the other⟧ damages for ⟦4:<waived>⟧<aware>",
    "⟦1:No party⟧ {shall|will} {be answerable|be liable} {to any other party |}for ⟦4:<waived>⟧<aware>",
)
WAIVER_ONE = (
    "In no event {shall|will} ⟦1:<a>⟧ be liable {to <b> |}for ⟦4:<waived>⟧<aware>",
    "⟦1:<A>⟧ {shall|will} not be {liable|responsible} {to <b> |}for ⟦4:<waived>⟧<aware>",
    "<B> {waives|hereby waives} {any claim|all claims} ⟦1:against <a>⟧ for ⟦4:<waived>⟧<aware>",
    "Under no circumstances {shall|will} ⟦1:<a>⟧ have any liability {to <b> |}for ⟦4:<waived>⟧<aware>",
    "<B> shall not be entitled to {claim|recover} ⟦1:from <a>⟧ damages for ⟦4:<waived>⟧<aware>",
)
CARVE_OUT_MUTUAL = (
    "The {limitations|limits|limitations and exclusions} {of liability |}{set forth|contained} in this {Section|Article|Agreement} "
    "{shall|do|will} not apply ⟦1:to either party's liability⟧ {for|in respect of|arising from} ⟦6:<excepted>⟧",
    "{Notwithstanding {the foregoing|anything to the contrary above}, nothing|Nothing} in this {Section|Article|Agreement} "
    "{shall|will} {limit|restrict|limit or exclude} ⟦1:the liability of either party⟧ for ⟦6:<excepted>⟧",
    "{The foregoing {limits|limitations} are|The preceding paragraph is} not available ⟦1:to either party⟧ in {the case|the "
    "event} of ⟦6:<excepted>⟧",
    "None of the limitations of liability in this Agreement {shall apply|applies} ⟦1:to claims by either party⟧ {based on|"
    "arising from} ⟦6:<excepted>⟧",
)
CARVE_OUT_ONE = (
    "{None of the|No} {limitations|limits} of liability in this Agreement {shall|will} apply to ⟦1:⟦6:<excepted>⟧⟧",
    "The {limitations|limits} {set forth|contained} in this {Section|Article} {shall|do} not {apply to|restrict} "
    "⟦1:⟦6:<excepted>⟧⟧",
    "Nothing in this {Section|Article|Agreement} {limits|shall limit} the damages available for ⟦1:⟦6:<excepted>⟧⟧",
)
LEAD = (
    "{Except {for|in the case of|with respect to}|Save {in the case of|in respect of}|Other than {for|in respect of}} "
    "⟦6:<excepted>⟧, "
)
TRAIL = (
    ", {except|save} {for|in the case of|in respect of} ⟦6:<excepted>⟧",
    "; provided{, however,|} that {this {limit|limitation}|the foregoing} {shall|does} not apply to ⟦6:<excepted>⟧",
    ". {The foregoing {limit|limitation}|This {limit|limitation}} {shall|does|will} not apply to ⟦6:<excepted>⟧",
)
#: After two sentences: one exception to both.
TRAIL_BOTH = (
    "{These|The foregoing} {limitations|limits|exclusions and limits} {shall|do|will} not apply to ⟦6:<excepted>⟧",
    "{Neither of the foregoing {sentences|limits}|Neither limit} {applies|shall apply} to ⟦6:<excepted>⟧",
)
#: An open exception reads "except as otherwise …", with no preposition.
LEAD_OPEN = "{Except|Save} ⟦6:<excepted>⟧, "
