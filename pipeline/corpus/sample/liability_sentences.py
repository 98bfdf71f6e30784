"""The sentences into which the parts of a liability clause are put (``liability_parts``).

``⟦CAP:…⟧`` marks the ceiling; ``liability`` turns it into the positions that the ceiling decides.
"""

from __future__ import annotations

#: Phrases that several templates share; none of them decides a position.
PHRASES = {
    "scope": (
        "{ arising out of or {relating to|in connection with} this Agreement| under {or in connection with |}this "
        "Agreement| in respect of {all|any and all} claims {hereunder|under this Agreement}| in relation to the "
        "{<goods>|subject matter of this Agreement}| hereunder}"
    ),
    "theory": (
        "{|, whether in contract, tort {(including negligence) |}or otherwise,|, regardless of the {form|theory} "
        "of {the |}{action|claim},|, on whatever legal ground,|, whether based on contract, warranty, negligence, "
        "strict liability or any other theory,}"
    ),
    "total": "{total|aggregate|total aggregate|cumulative|maximum|entire|total cumulative}",
    "verb": (
        "{shall not exceed|will not exceed|shall in no event exceed|is limited to|shall be limited to|will be "
        "limited to|shall be capped at|may not exceed|shall under no circumstances be greater than}"
    ),
    "be": "{shall|will}",
    "event": (
        "{the event giving rise to {the claim|such liability}|the date {on which|when} the {claim|cause of action} "
        "arose|the {occurrence|act or omission} {complained of|on which the claim rests}}"
    ),
    "before": "{preceding|before|prior to|immediately preceding}",
    "aware": (
        "{|, even if {advised of|informed of|aware of} the possibility of {such|those} {damages|losses}|, whether "
        "or not {foreseeable|such loss could have been foreseen}|, whether or not it was told that they might "
        "occur}"
    ),
    "paid": "{paid|paid or payable|actually paid|payable|paid and payable}",
    "fees": "{fees|amounts|sums|charges}",
    "by": "{by <payer> |}",
    "hereunder": "{under this Agreement|hereunder|pursuant to this Agreement}",
    "heads": (
        "{any|any form of|any kind of} {indirect, special{, incidental|}{, exemplary|}{, punitive|} or "
        "consequential|consequential, {incidental, |}indirect or {special|exemplary|punitive}|special, {punitive, "
        "|}indirect or consequential|indirect or consequential|incidental, special, exemplary or consequential} "
        "{damages|losses|loss or damage|damage|loss}"
    ),
    "including": (
        "{|, including {without limitation |}{loss of {profits|anticipated profits}{, revenue|}{, data|} or "
        "{goodwill|business}|lost profits{ or lost data| and loss of goodwill|}|loss of business, interruption of "
        "operations and lost savings}|, such as {lost profits|loss of revenue or of use}}"
    ),
}

#: Whole sentences with the slot that carries the part. A lead-in lowers the first small word.
CAP_MUTUAL = (
    "⟦1:{Either|Each} party's⟧ <total> liability<scope><theory> <verb> ⟦CAP:<ceiling>⟧",
    "In no event {shall|will} ⟦1:either party⟧ be liable {to the other |}<hereunder> for {an aggregate amount|any "
    "amount|sums} {in excess of|greater than|exceeding} ⟦CAP:<ceiling>⟧",
    "⟦1:Neither party⟧ <be> be {obliged|required} to pay the other, {in respect of all claims taken together|for "
    "all claims of whatever kind}, more than ⟦CAP:<ceiling>⟧",
    "The {maximum|total} {amount|sum} {recoverable|that may be recovered} ⟦1:by either party from the "
    "other⟧<scope><theory> <verb> ⟦CAP:<ceiling>⟧",
    "The <total> liability of ⟦1:each party to the other⟧<scope><theory> <verb> ⟦CAP:<ceiling>⟧",
    "Under no circumstances {shall|will} ⟦1:either party's⟧ liability<scope> exceed ⟦CAP:<ceiling>⟧",
    "The liability of ⟦1:<a> to <b>, and of <b> to <a>,⟧<scope> <verb> ⟦CAP:<ceiling>⟧",
)
CAP_ONE = (
    "⟦1:<A>'s⟧ <total> liability{ to <b>|}<scope><theory> <verb> ⟦CAP:<ceiling>⟧",
    "In no event {shall|will} ⟦1:<a>⟧ be liable to <b> {hereunder |}for {an aggregate amount|any amount|damages} "
    "{in excess of|greater than|exceeding} ⟦CAP:<ceiling>⟧",
    "<B> agrees that ⟦1:<a>'s⟧ {<total> |}liability<scope><theory> <verb> ⟦CAP:<ceiling>⟧",
    "The {maximum|total} {amount|sum} that <b> may recover ⟦1:from <a>⟧<scope> <verb> ⟦CAP:<ceiling>⟧",
    "The liability of ⟦1:<a>⟧<scope>{, if any,|} <verb> ⟦CAP:<ceiling>⟧",
    "Under no circumstances {shall|will} ⟦1:<a>⟧ be {obliged|required} to pay <b> more than ⟦CAP:<ceiling>⟧{ in "
    "respect of all claims| for any and all claims|}",
)
WAIVER_MUTUAL = (
    "In no event {shall|will} ⟦1:{either party|a party}⟧ be liable {to the other |}for ⟦4:<waived>⟧<aware>",
    "⟦1:Neither party⟧ {shall|will} {be liable|be responsible|have any liability} {to the other |}for "
    "⟦4:<waived>⟧<aware>",
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
    "The {limitations|limits|limitations and exclusions} {of liability |}{set forth|contained} in this "
    "{Section|Article|Agreement} {shall|do|will} not apply ⟦1:to either party's liability⟧ {for|in respect "
    "of|arising from} ⟦6:<excepted>⟧",
    "{Notwithstanding {the foregoing|anything to the contrary above}, nothing|Nothing} in this "
    "{Section|Article|Agreement} {shall|will} {limit|restrict|limit or exclude} ⟦1:the liability of either party⟧ "
    "for ⟦6:<excepted>⟧",
    "The {foregoing|above} {limits|limitations} of liability are not available ⟦1:to either party⟧ in {the "
    "case|the event} of ⟦6:<excepted>⟧",
    "None of the limitations of liability in this Agreement {shall apply|applies} ⟦1:to claims by either party⟧ "
    "{based on|arising from} ⟦6:<excepted>⟧",
)
CARVE_OUT_ONE = (
    "{None of the|No} {limitations|limits} of liability in this Agreement {shall|will} apply to ⟦1:⟦6:<excepted>⟧⟧",
    "The {limitations|limits} {set forth|contained} in this {Section|Article} {shall|do} not {apply to|restrict} "
    "⟦1:⟦6:<excepted>⟧⟧",
    "Nothing in this {Section|Article|Agreement} {limits|shall limit} the damages available for ⟦1:⟦6:<excepted>⟧⟧",
)
LEAD = (
    "{Except {for|in the case of|with respect to}|Save {in the case of|in respect of}|Other than {for|in respect "
    "of}} ⟦6:<excepted>⟧, "
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
