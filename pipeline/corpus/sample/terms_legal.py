"""Clauses about law, control and protection: each annotated under its CUAD category (``terms_commercial``)."""

from __future__ import annotations

from pipeline.corpus.sample.topic import Topic

TERMS: dict[str, Topic] = {
    "law": Topic(
        ("Governing Law", "Applicable Law", "Choice of Law; Venue", "Law and Jurisdiction"),
        (
            "⟦Governing Law:This Agreement {is|shall be} governed by{, and construed under,| and interpreted in "
            "accordance with} the {laws|internal laws} of {the State of |}<state>{|, without regard to its rules "
            "on conflict of laws}.⟧ {The courts sitting in|Courts located in} {that state|the capital of that "
            "state} {have|shall have} {exclusive|nonexclusive} jurisdiction, and {each|every} party "
            "{submits|consents} to it.",
            "⟦Governing Law:The law of <state> {applies to|governs} {this Agreement|this contract} {and all "
            "questions of its {validity|interpretation}|in every respect}{|, excluding the United Nations "
            "convention on the sale of goods}.⟧ {Disputes|Controversies} {not settled|that cannot be settled} by "
            "{negotiation|talks} {within|in} <days> go to arbitration by {one arbitrator|three arbitrators} seated "
            "in <state>.",
            "⟦Governing Law:{All matters|Questions} {arising from|concerning} this Agreement {shall be|are to be} "
            "decided under <state> law{|, its conflicts rules set aside}.⟧ {Each|Either} party {waives|gives up} "
            "trial by jury {so far as|to the extent} {permitted|the law permits}.",
        ),
    ),
    "assignment": Topic(
        ("Assignment", "No Assignment", "Transfer of Rights", "Successors and Assigns"),
        (
            "⟦Anti-Assignment:{Neither|No} party may {assign|transfer} this Agreement{, in whole or in part,|} "
            "{without|except with} the {prior |}written consent of the other{|, which shall not be unreasonably "
            "withheld}.⟧ {An attempt|A transfer} {contrary to|in breach of} this {Section|paragraph} is void. This "
            "Agreement binds {permitted successors|lawful successors} and {assigns|assignees}.",
            "⟦Anti-Assignment:<C> {shall not|may not} {delegate|subcontract} its duties or {assign|pass on} its "
            "rights {to anyone|to any person} unless <p> {has agreed|agrees} {in writing|beforehand}.⟧ <P> may "
            "{assign|transfer} this Agreement to {an affiliate|a successor to its business} {on|upon} "
            "{notice|giving notice}.",
            "⟦Change Of Control:{If|Where} {control of|more than half of the voting shares in} <c> {passes|is "
            "transferred} to {another|a third person}{, whether by merger, sale of shares or otherwise|}, <p> may "
            "{terminate|end} this Agreement {on|by} <days> notice.⟧ ⟦Anti-Assignment:{Subject to that|Apart from "
            "that case}, consent of the other party is {needed|required} for {any assignment|every transfer}.⟧",
        ),
    ),
    "audit": Topic(
        ("Audit", "Books and Records", "Records; Inspection", "Right to Audit"),
        (
            "⟦Audit Rights:{On|Upon} <days> notice, and {not more than|no more than} {once|twice} {a|in any} year, "
            "<p> or its {accountants|auditors} may {inspect|examine} the {books|records} of <c> {that relate "
            "to|concerning} this Agreement, {during|in} {business|normal working} hours.⟧ {Where|If} the "
            "{audit|examination} {shows|reveals} {an underpayment|a shortfall} of more than <percent>, <c> "
            "{bears|shall bear} its cost.",
            "<P> {keeps|shall keep} {complete and accurate|proper} {records|accounts} of {its charges|work done} "
            "for {three|five|four} years. ⟦Audit Rights:{An independent auditor|A certified public accountant} "
            "{chosen|appointed} by <c> {has|shall have} access to {them|those records} {on reasonable notice|at "
            "reasonable times}, {to verify|so as to verify} {compliance|the invoices}.⟧ {Findings|The auditor's "
            "findings} are {confidential|kept in confidence}.",
            "⟦Audit Rights:<C> may {send|have} its {quality staff|representatives} {visit|inspect} {any "
            "facility|the premises} where the <goods> are {made|prepared|stored}{, after giving <days> notice|, by "
            "appointment}.⟧ {They|Visitors} {observe|follow} site {rules|safety rules}, and "
            "{deficiencies|observations} are {answered|dealt with} in writing within <days>.",
        ),
    ),
    "insurance": Topic(
        ("Insurance", "Insurance Coverage", "Required Insurance", "Policies of Insurance"),
        (
            "⟦Insurance:{Throughout|During} the term <p> {shall carry|maintains} {commercial general|public} "
            "liability insurance {with limits of|for} {not less than|at least} <money> {per|for each} "
            "occurrence{|, naming <c> as additional insured}.⟧ {A certificate|Evidence of cover} is "
            "{furnished|provided} {on request|each year}, and <days> notice is given of {cancellation|any lapse}.",
            "⟦Insurance:{Each|Either} party {keeps|shall keep} in force, {with|from} {reputable|well rated} "
            "insurers, workers' compensation cover as {required by statute|the law requires} and "
            "{product|professional} {liability |}insurance of <money>.⟧ {The cost of premiums|Premiums} and "
            "{deductibles|any deductible} {are|is} for the account of {the party insured|the policyholder}.",
            "⟦Insurance:<C> {will insure|insures} the <goods> {against|for} {fire, theft and water damage|all "
            "usual risks} {from|as of} {receipt|delivery} {until|up to the time when} {they are|the price is} "
            "{paid for|paid in full}⟧, with <p> as loss payee. {Claims are notified|A loss is reported} {at "
            "once|without delay}, and {salvage|what can be salvaged} is kept for inspection.",
        ),
    ),
    "solicit": Topic(
        ("Non-Solicitation", "Employees", "No Hire", "Personnel"),
        (
            "⟦No-Solicit Of Employees:{While this Agreement lasts|During the term} and for {one year|six "
            "months|twelve months} afterwards, {neither party|no party} {shall|will} {solicit|entice away|hire} "
            "{an employee|any employee} of the other who {worked on|was engaged in} the {project|services}.⟧ "
            "{General advertising|A public job advertisement} {is not|does not count as} solicitation.",
            "⟦No-Solicit Of Customers:<C> {agrees not to|shall not} {approach|call upon} {customers|accounts} of "
            "<p> {of which it learns|that it comes to know} {through this Agreement|in the course of the work} "
            "{with a view to|for the purpose of} {selling|offering} {like|similar} {goods|services}.⟧ {This "
            "covenant ends|The covenant lapses} {one year|two years} after {expiry|termination}.",
        ),
    ),
    "third-party": Topic(
        ("Third Parties", "Beneficiaries", "No Other Beneficiaries"),
        (
            "⟦Third Party Beneficiary:{The affiliates|Group companies} of <c> {that order|who order} <goods> {may "
            "enforce|are entitled to enforce} this Agreement {as if|as though} they {were|had been} parties to "
            "it.⟧ {Apart from them|Otherwise}, nobody {else|outside this Agreement} {acquires|derives} {any "
            "right|rights} from it.",
            "⟦Third Party Beneficiary:{The lender|The landlord} {named in|identified in} {Schedule|Exhibit} "
            "<letter> is an intended beneficiary of {this Section|this paragraph} and {may rely|can rely} on it.⟧ "
            "{Its consent is|No consent of theirs is} {needed|required} to {amend|change} {other|the remaining} "
            "provisions.",
        ),
    ),
    "disparage": Topic(
        ("Non-Disparagement", "Public Statements", "Reputation"),
        (
            "⟦Non-Disparagement:{Neither party will|Each party shall take care not to} {make|publish} "
            "{statements|remarks} that {disparage|belittle} the other, its {officers|people} or its "
            "{products|trade}.⟧ {Truthful testimony|Statements compelled by law} {is|are} {unaffected|not "
            "restricted}. {Press releases|Announcements} need the {approval|prior consent} of both.",
            "⟦Non-Disparagement:<C> {shall do nothing|will not act so as} to {harm|injure} the {good "
            "name|reputation} of <p> or of its {brands|marks}{, in any medium|, online or elsewhere}.⟧ {On "
            "request|If asked}, it {removes|takes down} {an offending|any such} {post|statement} within "
            "{two|three|five} days.",
        ),
    ),
    "sue": Topic(
        ("Covenant Not to Sue", "No Challenge", "Validity of Rights"),
        (
            "⟦Covenant Not To Sue:<C> {will not|shall not} {contest|challenge}, {or help|nor assist} "
            "{others|anyone} to {contest|challenge}, the {validity of|title of <p> to} the "
            "{marks|patents|registrations} {licensed|used} {hereunder|under this Agreement}.⟧ {A breach|Any "
            "breach} {entitles <p> to|gives <p> the right to} {revoke|withdraw} the {license|permission} {at "
            "once|forthwith}.",
            "⟦Covenant Not To Sue:{Each party|Either party} {releases|discharges} the other from {claims|demands} "
            "that {arose|accrued} before the Effective Date and {agrees not to|will not} {bring suit|sue} on "
            "them.⟧ {Obligations|Duties} {created|assumed} by this Agreement are {unaffected|not touched} by "
            "{the|that} {release|discharge}.",
        ),
    ),
}
