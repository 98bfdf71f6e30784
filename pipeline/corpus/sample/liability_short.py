"""More whole liability clauses: remedies, time bars, fragments, redactions, and what is no limit at all."""

from __future__ import annotations

from pipeline.corpus.sample.liability_pieces import BOTH, CAP, UNCAPPED, Piece

_MISSING = "what the clause rests on is not in the text"
_WAIVER_TAIL = "even if {such party|it} {has been|was} {advised|told} of the possibility of such {damages|losses}"

SHORT_PIECES: dict[str, Piece] = {
    "remedy-replace": Piece(
        ("exclusive-remedy",),
        "ddssms",
        ((CAP,),),
        (
            "<B>'s {sole|exclusive|sole and exclusive} remedy{, and ⟦1:<a>'s entire liability⟧,| against ⟦1:<a>⟧} "
            "for {any breach of the {above |}warranty|defective <goods>} {shall be|is} ⟦2:{the repair or "
            "replacement|replacement, free of charge,} of the {nonconforming|defective} {item|part|<goods>}⟧.",
            "⟦1:<A>'s⟧ {only obligation|sole liability} in respect of <goods> that do not {conform|meet the "
            "specifications} is, at its {option|election}, to ⟦2:{repair or replace them|re-perform them or refund "
            "the price paid for them}⟧.",
            "If {a|any} delivery is {defective|short}, <b> may require ⟦1:<a>⟧ to ⟦2:{make good the "
            "{defect|shortage}|refund the price of that delivery}⟧ and shall have no {other|further} remedy.",
        ),
        ("remedy limited to repair, replacement or refund", "protects <a> only"),
        "Limits <b> to repair, replacement or refund and protects <a> only.",
        "a narrow remedy, one-sided",
    ),
    "remedy-elsewhere-one": Piece(
        ("exclusive-remedy",),
        "dsssfs",
        ((CAP,),),
        (
            "⟦5:{The {foregoing|preceding} provisions|The terms of Exhibit <letter>}⟧ {state|set out} ⟦1:<a>'s "
            "entire {liability|responsibility}⟧ and <b>'s exclusive remedy {for|in respect of} "
            "{infringement|defects in the <goods>}.",
            "<B>'s exclusive {remedies|rights} against ⟦1:<a>⟧ {for|in the event of} {late "
            "performance|nonconforming <goods>} {are|shall be} ⟦5:those {set forth|described} in {Section "
            "<far1>|Schedule <letter>}⟧.",
        ),
        ("the remedy stands in another part of the agreement", "protects <a> only"),
        "Makes remedies that stand elsewhere the only ones against <a>; what <b> may recover is not in the text.",
        _MISSING,
        (("risky", "on what can be read, the clause protects one party only"),),
    ),
    "remedy-elsewhere-none": Piece(
        ("exclusive-remedy",),
        "ssssfs",
        ((CAP,),),
        (
            "⟦5:The {remedies|rights and remedies} {set forth|provided} in {Exhibit <letter>|Section <far1>}⟧ "
            "{are|shall be} exclusive {and in lieu of all others|of every other remedy at law}.",
            "{No remedy shall be available|There shall be no remedy} for {breach of|failure under} this "
            "{Section|Article} ⟦5:other than {that|those} {listed|provided} in {Annex <letter>|Section <far1>}⟧.",
        ),
        ("the remedies stand in another part of the agreement",),
        "Makes remedies exclusive that are not in the text, so their scope cannot be judged; no party is named.",
        _MISSING,
        (("risky", "if the remedies elsewhere protect one party only"),),
    ),
    "time-bar-mutual": Piece(
        ("time-bar",),
        "msssms",
        ((CAP,),),
        (
            "No {action|claim|proceeding}{, regardless of form,|} arising {from|out of} this Agreement may be "
            "{brought|commenced} ⟦1:by either party⟧ {more|later} than <years> after the {cause of action|claim} "
            "{arose|has accrued}.",
            "⟦1:Each party⟧ {shall bring|must bring} any {claim|action} {hereunder|under this Agreement} within "
            "<years> {of|from} the {event|facts} {giving rise to it|on which it rests}, {failing which|or} the "
            "{claim|action} is {barred|waived}.",
        ),
        ("time bar binds both parties", "<years>"),
        "Contractual time bar on the claims of both parties; no ceiling, waiver or exception to test.",
        "the bar binds both sides alike",
    ),
    "time-bar-mutual-sums": Piece(
        ("time-bar",),
        "msssmm",
        ((CAP,),),
        (
            "{Except for|Other than} ⟦6:{actions|claims} {for nonpayment|to collect sums due}⟧, no {action|suit} "
            "under this Agreement may be brought ⟦1:by either party⟧ more than <years> after {it|the cause of "
            "action} {arose|accrued}.",
            "⟦1:Neither party⟧ may {assert|bring} a claim {later|more} than <years> after it {arose|accrued}; "
            "{this|that period} does not apply to ⟦6:{unpaid {fees|invoices}|claims for amounts due}⟧.",
        ),
        ("time bar binds both parties", "sums due are excepted"),
        "Mutual time bar with an exception for sums due, which is permitted.",
        "the bar binds both sides alike",
    ),
    "time-bar-one": Piece(
        ("time-bar",),
        "dsssms",
        ((CAP,),),
        (
            "⟦1:<B>⟧ {must|shall} {bring|commence} any {claim|action} against <a> within <years> {of|after} "
            "{delivery|the event {complained of|in question}}, {failing which it is barred|after which it lapses}.",
            "No {action|suit} may be {brought|filed} ⟦1:by <b> against <a>⟧ more than <years> after the "
            "{claim|cause of action} {accrued|arose}.",
        ),
        ("time bar on <b>'s claims only", "<years>"),
        "Shortens the time for <b>'s claims only; those of <a> are untouched.",
        "one-sided time bar",
    ),
    "waiver-cut": Piece(
        ("damages-waiver", "fragment"),
        "mssmms",
        ((CAP,),),
        (
            "¦In no event {shall|will} ⟦1:either party⟧ be liable {to the other |}for ⟦4:<heads><including>⟧, "
            "even¦ if it was {advised|told} that {such|those} {damages|losses} might {arise|occur}.",
            "¦⟦1:Neither party⟧ <be> be liable for ⟦4:<heads>⟧ {arising|resulting} from {the|any}¦ "
            "{breach|performance} of this Agreement.",
        ),
        ("mutual waiver of indirect loss", "the operative words stand before the cut"),
        "Mutual waiver of indirect loss; the text breaks off, but its operative words are complete.",
        "the operative words stand before the cut",
    ),
    "fragment-heading": Piece(
        ("fragment",),
        "ssssfs",
        ((CAP,), BOTH),
        (
            "¦⟦5:{Limitation of Liability|Limits on Liability|Limitation of Damages|Liability Cap|Limited "
            "Liability}⟧.¦ {Each party's|<A>'s} liability is dealt with in the following paragraphs.",
            "¦⟦5:{Exclusions and Limitations of Liability|Limitations of Liability; Remedies|Damages and "
            "Liability}:⟧¦ See the terms and conditions attached.",
        ),
        ("a heading and nothing more",),
        "A heading without operative words; limit, amount and scope are all missing.",
        _MISSING,
    ),
    "fragment-tail": Piece(
        ("fragment",),
        "ssssfs",
        ((CAP,), BOTH),
        (
            "Neither party shall be liable for <heads>,¦ ⟦5:{"
            + _WAIVER_TAIL
            + (
                "|whether or not {such|the} {damages|losses} could have been foreseen, and {regardless "
                "of|whatever} the form of action}⟧.¦"
            ),
            "The liability of <a> shall not exceed <standard>,¦ ⟦5:{in respect of all claims in any calendar "
            "year|for the period to which the claim relates}, {nor shall that period be extended|whether or not "
            "that amount has been invoiced}⟧.¦",
        ),
        ("the tail of a sentence: no operative words",),
        "The tail of a sentence: who is limited and against what is missing.",
        _MISSING,
    ),
    "fragment-head-mutual": Piece(
        ("fragment", "cap"),
        "msssfs",
        ((CAP,),),
        (
            "¦⟦5:{Notwithstanding anything to the contrary {herein|in this Agreement}, |}the <total> liability of "
            "⟦1:{each|either} party⟧ to the other{ for all claims|} {arising out of|in connection with} this "
            "Agreement⟧¦ <verb> <standard>.",
        ),
        ("opening of a cap that stops before its amount",),
        "Opening of a mutual cap that stops before verb and amount; the ceiling is missing.",
        _MISSING,
    ),
    "fragment-head-one": Piece(
        ("fragment", "cap"),
        "dsssfs",
        ((CAP,),),
        (
            "¦⟦5:{In addition to any other limit, |Subject always to applicable law, |}⟦1:<a>'s⟧ <total> "
            "{liability|obligation to pay damages}{ to <b>|} {under|in respect of} this Agreement⟧¦ <verb> "
            "<standard>.",
        ),
        ("opening of a cap that stops before its amount", "names <a> only"),
        "Opening of a cap on <a> that stops before verb and amount; the ceiling is missing.",
        _MISSING,
    ),
    "redacted-heads": Piece(
        ("damages-waiver",),
        "dsssfs",
        ((CAP,),),
        (
            "⟦1:<A>⟧ {shall|will} not be liable to <b> for ⟦5:{the following {types|kinds} of loss: [***]; "
            "[***]|[*****]}⟧.",
            "{In no event shall|Under no circumstances shall} ⟦1:<a>⟧ be {responsible|liable} for ⟦5:[***] "
            "{or|and} [***] {losses|damages}⟧{ hereunder|}.",
        ),
        ("the excluded heads of loss are redacted", "protects <a> only"),
        "Excludes losses of <b> whose list is redacted, so the scope cannot be judged; one-sided.",
        _MISSING,
        (("risky", "whatever the redacted heads are, the clause protects one party only"),),
    ),
    "not-liability": Piece(
        ("not-liability",),
        "ssssfs",
        ((CAP,), (UNCAPPED,)),
        (
            "⟦5:The parties {acknowledge|agree} that the {late charges|early termination fee} {payable by <payer> "
            "|}{are|is} a reasonable {estimate|forecast} and not a penalty⟧.",
            "⟦5:<A> may settle {any|a} claim of {a customer|third parties} for {an amount|a sum} {up to|not above} "
            "<nominal> without <b>'s prior {approval|consent}⟧.",
            "⟦5:<B> {shall|will} be entitled to seek specific performance of {this Section|<a>'s delivery "
            "obligations} in any competent court⟧.",
            "⟦5:The deductible under the policy of {insurance|general insurance} {shall be|is} <nominal> for each "
            "occurrence⟧.",
        ),
        ("limits, excludes or excepts no liability",),
        "Sets no limit, exclusion or exception of liability between the parties.",
        "the text is not about liability",
    ),
    "termination-waiver-one": Piece(
        ("damages-waiver",),
        "dssdms",
        ((CAP,),),
        (
            "⟦1:<A>⟧ {shall|will} not {be liable|owe {any |}compensation} to <b> for ⟦4:{lost profits, investments "
            "or commitments|expenditure made or profits expected}⟧ {by reason of|because of} "
            "{termination|nonrenewal} of this Agreement.",
            "On termination <b> {waives|gives up} {any|every} claim ⟦1:against <a>⟧ for ⟦4:{loss of prospective "
            "profits, inventory or goodwill|severance, indemnity or compensation of any kind}⟧.",
        ),
        ("waiver on termination protects <a> only", "reaches outlay, which is direct loss"),
        "On termination frees <a> alone from compensation, outlay included; <b> has no matching protection.",
        "one-sided",
    ),
}
