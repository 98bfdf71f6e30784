"""Liability clauses that are written whole, by what they do: each piece has one reading.

``levels`` spells P1 to P6 in one letter each: m(eets), d(eparts), o(ff), s(ilent), f(ails).
Templates and marks as in ``liability_parts``. A template may be cut into ``before ¦ annotated ¦
after`` by broken bars: then only the middle is the annotated span, as where a page break or a hasty
annotator cut a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass

CAP, UNCAPPED = "Cap On Liability", "Uncapped Liability"
BOTH = (CAP, UNCAPPED)


@dataclass(frozen=True, slots=True)
class Piece:
    """One kind of whole clause. ``filings``: the category sets it may be annotated under."""

    kinds: tuple[str, ...]
    levels: str
    filings: tuple[tuple[str, ...], ...]
    texts: tuple[str, ...]
    points: tuple[str, ...]
    reason: str
    condition: str
    alternates: tuple[tuple[str, str], ...] = ()
    uncertainty: str | None = None


PIECES: dict[str, Piece] = {
    "exclude-all-one": Piece(
        ("damages-waiver",),
        "dssoms",
        ((CAP,),),
        (
            "⟦1:⟦4:<A> shall have no liability {whatsoever|of any kind} to <b>⟧⟧<scope>, {be it|whether} for "
            "direct, indirect or any other {loss|damages}.",
            "Under no circumstances {shall|will} ⟦1:<a>⟧ be liable to <b> for ⟦4:{any loss, damage, cost or "
            "expense of any kind|any damages of whatever nature}, {direct damages included|direct or indirect}⟧, "
            "{arising from|that results from} {this Agreement|the <goods>}.",
            "⟦1:<A>⟧ {disclaims|hereby disclaims} ⟦4:all {liability|liabilities and obligations} for {direct, "
            "indirect, special and consequential damages|damages of every description, direct damages among them}⟧ "
            "{connected with|arising from} {the <goods>|this Agreement|the performance of this Agreement}.",
            "<B> {releases|hereby releases} ⟦1:<a>⟧ from ⟦4:every {claim|claim and demand} for {loss|damages} of "
            "any {sort|kind}, direct or {indirect|consequential},⟧ that {arises|may arise} {hereunder|under this "
            "Agreement}.",
            "<B> assumes the entire risk of the <goods>, and ⟦1:<a>⟧ shall not be liable to <b> ⟦4:in any amount "
            "or on any ground, {for direct or for consequential loss|whether the loss is direct or not}⟧.",
            "⟦4:No liability of any {kind|nature} {shall attach|attaches} to ⟦1:<a>⟧⟧ {under or by reason of|in "
            "connection with} this Agreement, and <b> waives all {damages|recourse}, direct damages included.",
        ),
        ("all liability of <a> is excluded, direct loss included", "nothing protects <b>"),
        "Excludes every liability of <a>, direct loss included, without exception; <b> has no such protection.",
        "one party's liability is wholly excluded",
    ),
    "negligence-only-one": Piece(
        ("damages-waiver", "carve-out"),
        "dssomm",
        ((CAP,), BOTH),
        (
            "⟦1:<A>⟧ {shall|will} ⟦4:not be liable to <b> for any {act or omission|loss or damage}⟧ {under|in "
            "connection with} this Agreement {except|save} ⟦6:in the case of {gross negligence or {willful|wilful} "
            "misconduct|its own gross negligence or {willful|wilful} misconduct}⟧.",
            "Except for ⟦6:gross negligence or {intentional|willful} misconduct⟧, ⟦4:{no liability shall be "
            "imposed on|no liability of any kind shall rest with} ⟦1:<a>⟧⟧ {for|in respect of} {anything done or "
            "omitted|any action taken or not taken} {hereunder|under this Agreement}.",
            "⟦1:Neither <a> nor any of its {officers|directors}, employees or agents⟧ {shall|will} be ⟦4:{subject "
            "to any liability|liable} to <b>⟧ for any {error of judgment|mistake|loss} in {carrying "
            "out|performing} this Agreement, {other than|except for} ⟦6:{willful misfeasance, bad faith or gross "
            "negligence|gross negligence or fraud}⟧.",
            "<B> agrees that ⟦1:<a>⟧ {bears|shall bear} ⟦4:no responsibility for loss of any kind⟧ suffered by "
            "<b>, unless the loss {results from|was caused by} ⟦6:<a>'s gross negligence or {willful|deliberate} "
            "misconduct⟧.",
        ),
        ("liability of <a> only for gross negligence or wilful misconduct", "one-sided: nothing protects <b>"),
        "<A> answers for gross negligence or wilful misconduct alone, so liability for ordinary breach is "
        "excluded; one-sided.",
        "ordinary breach carries no liability at all",
        (("risky", "if the exclusion is read as a standard of care customary in the trade"),),
    ),
    "negligence-only-mutual": Piece(
        ("damages-waiver", "carve-out"),
        "mssomm",
        ((CAP,), BOTH),
        (
            "⟦1:Neither party⟧ {shall|will} have ⟦4:any liability to the other⟧ {under|in connection with} this "
            "Agreement {except|save} for ⟦6:{its own |}gross negligence or {willful|wilful} misconduct⟧.",
            "⟦1:Each party⟧ {shall|will} be liable {to the other |}⟦4:{solely|only} for⟧ ⟦6:loss caused by its "
            "gross negligence or {willful|intentional} misconduct⟧, and {for no other loss|not otherwise}.",
        ),
        ("liability only for gross negligence or wilful misconduct", "mutual"),
        "Mutual, but liability of either party exists for gross negligence or wilful misconduct alone; ordinary "
        "breach is excluded.",
        "ordinary breach carries no liability at all",
        (("risky", "if the mutual form is held to balance the exclusion"),),
    ),
    "unlimited-one": Piece(
        ("uncapped",),
        "dossms",
        ((UNCAPPED,), BOTH),
        (
            "⟦1:<A>'s⟧ liability {under|arising from} this Agreement {shall be|is} ⟦2:{unlimited|without "
            "{limit|limitation} of amount}⟧.",
            "There {shall be|is} ⟦2:no {limit|limitation|ceiling} on⟧ {the {amount|extent} of |}⟦1:<a>'s⟧ "
            "liability to <b> <hereunder>{, whatever its legal ground|}.",
            "⟦1:<A>⟧ {shall be|is} liable to <b> ⟦2:without {limitation|any limit|limit of amount}⟧ for {all|any "
            "and all} {losses|damages} {arising from|caused by} {any|a} breach of this Agreement.",
            "The parties {agree|acknowledge} that ⟦1:the liability of <a>⟧ for breach of this Agreement ⟦2:{is not "
            "subject to any {cap|ceiling|maximum}|shall not be capped}⟧.",
        ),
        ("liability of <a> is unlimited", "binds <a> only"),
        "States that <a>'s liability under the agreement has no ceiling; it binds <a> alone.",
        "liability in general is expressly unlimited",
    ),
    "unlimited-mutual": Piece(
        ("uncapped",),
        "mossms",
        ((UNCAPPED,),),
        (
            "⟦1:The liability of each party⟧ <hereunder> {shall be|is} ⟦2:{unlimited|not limited in amount}⟧.",
            "⟦1:Neither party's⟧ liability {for breach of|under} this Agreement {shall be|is} ⟦2:subject to "
            "{any|a} {monetary |}{limit|ceiling|cap}⟧.",
            "⟦1:Each party⟧ {shall be|is} liable to the other ⟦2:without {limit|limitation} {of|as to} amount⟧ for "
            "{damages|loss} {arising out of|caused by} its breach of this Agreement.",
        ),
        ("liability in general is unlimited", "for both parties"),
        "States that the liability of both parties under the agreement is without any ceiling.",
        "liability in general is expressly unlimited",
    ),
    "asymmetric-cap": Piece(
        ("cap", "uncapped"),
        "oomsmd",
        (BOTH,),
        (
            "⟦1:<A>'s <total> liability⟧<scope> <verb> ⟦3:⟦6:<standard>⟧⟧, {while|whereas} ⟦1:⟦2:the liability of "
            "<b> {shall be unlimited|is without limit}⟧⟧.",
            "In no event shall ⟦1:<a>⟧ be liable for more than ⟦3:⟦6:<standard>⟧⟧. ⟦2:⟦1:<B>'s liability⟧ {to <a> "
            "|}{under this Agreement |}is not {limited|subject to any limit}⟧.",
            "The liability of ⟦1:<a>⟧ is limited to ⟦3:⟦6:<standard>⟧⟧; ⟦2:no {limit|ceiling} {applies|shall "
            "apply} to ⟦1:the liability of <b>⟧⟧.",
        ),
        ("<a> is capped", "<b> is expressly unlimited"),
        "Caps <a> while stating that the liability of <b> is unlimited; no exception to the cap.",
        "one side is capped and the other expressly unlimited",
        (),
        "The ceiling of <a> can be computed; the words that leave <b> without one decide P2.",
    ),
    "asymmetric-waiver": Piece(
        ("damages-waiver",),
        "ossdms",
        ((CAP,), BOTH),
        (
            "⟦1:<A>⟧ {shall|will} not be liable {to <b> |}for ⟦4:<heads><including>⟧; {however, |}⟦1:<b> {shall "
            "remain|remains} fully liable to <a>⟧ for {all|any and all} {losses|damages}, {indirect and "
            "consequential losses included|of whatever kind}.",
            "⟦1:<B>⟧ {shall compensate|shall be liable to compensate} <a> for ⟦1:every loss of whatever kind⟧, "
            "consequential loss included, {while|but} ⟦1:<a>⟧ shall {in no event|never} be liable for ⟦4:<heads>⟧.",
            "In no event shall ⟦1:<a>⟧ be liable for ⟦4:<heads><including>⟧. ⟦1:This exclusion does not protect "
            "<b>, who {answers|is liable} in full⟧ for all {such |}{losses|damages} that it causes to <a>.",
        ),
        ("indirect loss excluded for <a> only", "<b> is expressly fully exposed"),
        "Excludes indirect loss for <a> while <b> stays expressly liable for every loss.",
        "one side is protected and the other expressly fully exposed",
    ),
    "indemnity-limit-mutual": Piece(
        ("indemnity-limit", "cap"),
        "mmmsmd",
        ((CAP,),),
        (
            "⟦1:{An|The} indemnifying party's⟧ {total|aggregate} {obligation|liability} {under|pursuant to} this "
            "{Section|indemnity} <verb> ⟦2:⟦3:⟦6:<sum>⟧⟧⟧.",
            "⟦1:Neither party⟧ {shall|will} be {required|obliged} to indemnify the other for {amounts|losses} "
            "{which|that} in total exceed ⟦2:⟦3:⟦6:<standard>⟧⟧⟧.",
        ),
        ("mutual limit on the indemnities", "no exception"),
        "Limits either party's indemnity to a ceiling that can be computed; no exception is made.",
        "a ceiling without any exception",
    ),
    "indemnity-limit-one": Piece(
        ("indemnity-limit", "cap"),
        "dmmsmd",
        ((CAP,),),
        (
            "⟦1:<A>'s⟧ {indemnification obligations|duty to indemnify} {hereunder|under this Section} {shall|will} "
            "not exceed, in {total|the aggregate}, ⟦2:⟦3:⟦6:<sum>⟧⟧⟧.",
            "{The aggregate amount for which|The total that} ⟦1:<a>⟧ {may be|is} liable {by way of|under its} "
            "indemnity is limited to ⟦2:⟦3:⟦6:<standard>⟧⟧⟧.",
        ),
        ("limits the indemnity of <a> only", "no exception"),
        "Limits <a>'s indemnity only, at a ceiling that can be computed, without exception.",
        "one-sided, and a ceiling without any exception",
    ),
    "named-head-unlimited": Piece(
        ("uncapped",),
        "dsssms",
        ((UNCAPPED,),),
        (
            "⟦1:<A>⟧ {shall be|is} liable without {limit|limitation} for {damage to <b>'s premises|loss of or "
            "damage to materials that <b> entrusts to it}{ caused by its {staff|employees} or subcontractors|}.",
            "There is no limit {on|to} ⟦1:<a>'s⟧ liability for {injury or damage caused by its vehicles|damage "
            "caused by its personnel while on <b>'s {site|premises}}.",
        ),
        ("only a named head of loss is unlimited", "binds <a> only"),
        "Leaves one named head of loss unlimited, for <a> alone; liability in general is not said to be unlimited.",
        "one-sided",
    ),
    "termination-waiver-mutual": Piece(
        ("damages-waiver",),
        "mssdms",
        ((CAP,),),
        (
            "⟦1:Neither party⟧ {shall|will} be liable to the other for ⟦4:{any {damages|compensation} or "
            "{costs|expenditure} {whatever|of any kind}|damages of any kind}⟧ {by reason of|on account of} the "
            "{expiration|expiry} or termination of this Agreement{ in accordance with its terms|}.",
            "On {termination|expiry} of this Agreement ⟦1:neither party⟧ {shall have|has} a claim against the "
            "other for ⟦4:any {investment|expenditure}, commitment, lost profit or other {damage|loss}⟧ {connected "
            "with|due to} {such termination|its ending}.",
        ),
        ("mutual waiver on termination", "reaches direct loss as well"),
        "Mutual waiver of every damage by reason of termination, so direct outlay is excluded as well.",
        "the exclusion reaches direct loss",
        (("acceptable", "if read as the customary mutual term that termination as such gives no compensation"),),
    ),
}
